import { randomUUID } from 'node:crypto';

import type { Tollgate } from '@tollgate/sdk';
import { eventually } from '@tollgate/testkit/eventually';
import { createHttpClient } from '@tollgate/testkit/http-client';
import { pressPage } from '@tollgate/testkit/press-button';
import type { ConsoleWorld } from './console-world.ts';

export interface ClosedMonth {
  readonly period: string;
  readonly consumer: { readonly email: string; readonly id: string };
  readonly invoiceId: string;
  readonly payoutId: string;
}

const patience = { withinMs: 60_000 };

/** A consumer pays a call of forty dollars by card, its month ends, and the builder gets the payout. */
export async function closeMonth(world: ConsoleWorld): Promise<ClosedMonth> {
  const { baseUrl, operatorToken: token } = world;
  const send = createHttpClient({ baseUrl });
  const [builder, consumer] = [await withKey(world), await withKey(world)];
  const slug = `survey-${randomUUID().slice(0, 8)}`;
  await builder.client.tools.create({ slug, name: 'Survey', price: { per_call_usd: '40' } });
  const back = { return_url: `${baseUrl}/app` };
  await pressPage(send, (await builder.client.billing.connect(back)).connect_url);
  await pressPage(send, (await consumer.client.billing.setUpPaymentMethod(back)).setup_url);
  await consumer.client.events.record({ tool_id: slug });
  await eventually(async () => (await consumer.client.usage.get()).totals.calls === 1, patience);
  const { now } = (await send<{ readonly now: string }>('GET', '/v1/sandbox/clock', { token })).body;
  await send('POST', '/v1/sandbox/clock', { token, body: { now: dayOfNextMonth(now, 3) } });
  const paidInvoice = async () =>
    (await consumer.client.invoices.list({ status: 'paid' }).firstPage()).invoices[0]?.id ?? '';
  const invoiceId = await eventually(paidInvoice, patience);
  await send('POST', '/v1/sandbox/clock', { token, body: { now: dayOfNextMonth(now, 15) } });
  const paidPayout = async () =>
    (await builder.client.payouts.list({ status: 'paid' }).firstPage()).payouts[0]?.id ?? '';
  const payoutId = await eventually(paidPayout, patience);
  const id = (await consumer.client.auth.account()).account_id;
  return { period: now.slice(0, 7), consumer: { email: consumer.email, id }, invoiceId, payoutId };
}

/** A key stays good when the clock moves; the token of a registration would end. */
async function withKey(world: ConsoleWorld): Promise<{ readonly email: string; readonly client: Tollgate }> {
  const { email, client } = await world.signUp();
  const { key = '' } = await client.apiKeys.create({ name: 'test' });
  return { email, client: client.with({ apiKey: key }) };
}

/** A month is closed and charged on the third, and paid out long before the fifteenth. */
function dayOfNextMonth(now: string, day: number): string {
  const [year = '', month = ''] = now.split('-');
  return new Date(Date.UTC(Number(year), Number(month), day)).toISOString();
}
