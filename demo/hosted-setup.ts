import type { BillingAccount, ConnectLink, PaymentMethod, SetupLink } from '@tollgate/contracts/money/billing-account';
import { eventually } from '@tollgate/testkit/eventually';
import type { Ask } from './ask.ts';
import { completeHostedPage } from './hosted-page.ts';
import type { Member } from './register.ts';

const body = { return_url: 'https://demo.example/back' };
/** How long the processor's webhook may take. */
const patience = { withinMs: 20_000 };

export async function addPaymentMethod({ token }: Member, ask: Ask): Promise<void> {
  const path = '/v1/billing/payment-method';
  const link = await ask<SetupLink>('POST', path, { token, body });
  await completeHostedPage(link.body.setup_url);
  await eventually(() => ask<PaymentMethod>('GET', path, { token }), patience);
}

export async function connectPayoutAccount({ token }: Member, ask: Ask): Promise<void> {
  const link = await ask<ConnectLink>('POST', '/v1/billing/connect', { token, body });
  await completeHostedPage(link.body.connect_url);
  const account = () => ask<BillingAccount>('GET', '/v1/billing/account', { token });
  await eventually(async () => (await account()).body.payout_enabled, patience);
}
