import { eventually } from '@tollgate/testkit/eventually';
import { pressButton } from '@tollgate/testkit/press-button';
import type { BillingUnderTest, TestAccount } from './start-billing.ts';

export interface AskedSetup {
  readonly setup_url: string;
  readonly expires_at: string;
}

export async function askSetup({ send }: BillingUnderTest, account: TestAccount): Promise<AskedSetup> {
  const body = { return_url: 'https://consumer.example/back' };
  return (await send<AskedSetup>('POST', '/v1/billing/payment-method', { ...account, body })).body;
}

const last4Of = { visa: '4242', mastercard: '4444', declined: '0341' } as const;

/** Through a new link and its page, until the webhook has arrived. */
export async function setUpCard(
  billing: BillingUnderTest,
  account: TestAccount,
  card: keyof typeof last4Of,
): Promise<void> {
  const { setup_url: url } = await askSetup(billing, account);
  await pressButton({ send: billing.send, url, answer: 'complete', card });
  await eventually(
    async () => (await billing.send('GET', '/v1/billing/payment-method', account)).body['last4'] === last4Of[card],
    { withinMs: 3_000 },
  );
}
