import { eventually } from '@tollgate/testkit/eventually';
import { pressButton } from '@tollgate/testkit/press-button';
import type { BillingUnderTest, TestAccount } from './start-billing.ts';

export interface AskedLink {
  readonly connect_url: string;
  readonly expires_at: string;
}

export interface AccountAnswer {
  readonly processor_connected: boolean;
  readonly processor_account_id: string | null;
  readonly payout_enabled: boolean;
  readonly pending_balance_usd: number;
}

export async function askLink({ send }: BillingUnderTest, account: TestAccount): Promise<AskedLink> {
  const body = { return_url: 'https://builder.example/back' };
  const { status, body: link, text } = await send<AskedLink>('POST', '/v1/billing/connect', { ...account, body });
  if (status !== 200) throw new Error(text);
  return link;
}

export async function readAccount({ send }: BillingUnderTest, account: TestAccount): Promise<AccountAnswer> {
  return (await send<AccountAnswer>('GET', '/v1/billing/account', account)).body;
}

/** Through a new link and its page, until the webhook has arrived. */
export async function onboard(
  billing: BillingUnderTest,
  account: TestAccount,
  answer: 'complete' | 'refuse',
): Promise<AccountAnswer> {
  const { connect_url: url } = await askLink(billing, account);
  await pressButton({ send: billing.send, url, answer });
  const isPayoutEnabled = answer === 'complete';
  await eventually(
    async () => {
      const read = await readAccount(billing, account);
      return read.processor_connected && read.payout_enabled === isPayoutEnabled;
    },
    { withinMs: 3_000 },
  );
  return readAccount(billing, account);
}
