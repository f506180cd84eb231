import { describe, expect, it } from '@jest/globals';
import { setUpCard } from '../support/set-up-card.ts';
import { operatorToken, useBilling } from '../support/start-billing.ts';

const billing = useBilling();
const path = '/v1/billing/balance/refunds';

async function newConsumer() {
  const consumer = await billing.newAccount();
  await setUpCard(billing, consumer, 'visa');
  const { body } = await billing.send('POST', '/v1/billing/top-ups', { ...consumer, body: { amount_usd: 50 } });
  return { consumer, topUpId: body['id'] };
}

describe(`POST and GET ${path}`, () => {
  it('201: gives money back once per key, and shows it to its account and the operator', async () => {
    const [{ consumer, topUpId }, other] = [await newConsumer(), await billing.newAccount()];
    const order = { ...consumer, body: { amount_usd: 20.5 }, headers: { 'idempotency-key': 'first' } };
    const made = await billing.send('POST', path, order);
    const parts = [{ top_up_id: topUpId, amount_usd: 20.5, status: 'succeeded', failure_code: null }];
    expect(made).toMatchObject({
      status: 201,
      body: { account_id: consumer.accountId, amount_usd: 20.5, refunded_usd: 20.5, status: 'succeeded', parts },
    });
    const again = await billing.send('POST', path, order);
    expect(again).toMatchObject({ status: 201, body: made.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const id = String(made.body['id']);
    const acts = 'select action, object_id, detail from audit.act where account_id = $1 and action like $2';
    expect(await billing.owner.query(acts, [consumer.accountId, 'balance%'])).toEqual([
      { action: 'balance.refunded', object_id: id, detail: { amount_usd: '20.5' } },
    ]);
    expect(await billing.send('GET', `${path}/${id}`, consumer)).toMatchObject({ status: 200, body: made.body });
    expect(await billing.send('GET', `${path}/${id}`, other)).toMatchObject({ status: 404 });
    expect(await billing.send('GET', path, other)).toMatchObject({ body: { refunds: [], total: 0 } });
    const ofAccount = (accountId: string) =>
      billing.send('GET', `/v1/operator/accounts/${accountId}/balance-refunds`, { token: operatorToken });
    expect(await ofAccount(consumer.accountId)).toMatchObject({
      status: 200,
      body: { total: 1, refunds: [made.body] },
    });
    expect(await ofAccount(id)).toMatchObject({ status: 404 });
    expect(await billing.send('GET', '/v1/billing/balance', consumer)).toMatchObject({ body: { balance_usd: 29.5 } });
  });

  it('lists them by pages, newest first', async () => {
    const { consumer } = await newConsumer();
    for (const amount of [1, 2, 3]) {
      billing.clock.advance(1_000);
      await billing.send('POST', path, { ...consumer, body: { amount_usd: amount } });
    }
    const first = await billing.send('GET', `${path}?limit=2`, consumer);
    expect(first.body).toMatchObject({ total: 3, has_more: true, refunds: [{ amount_usd: 3 }, { amount_usd: 2 }] });
    const second = await billing.send('GET', `${path}?limit=2&cursor=${String(first.body['next_cursor'])}`, consumer);
    expect(second.body).toMatchObject({ has_more: false, refunds: [{ amount_usd: 1 }] });
  });

  it('422: more than the unused balance, and 201 for all of it without an amount', async () => {
    const { consumer } = await newConsumer();
    const errors = [{ pointer: '/amount_usd', code: 'too_large' }];
    expect(await billing.send('POST', path, { ...consumer, body: { amount_usd: 50.01 } })).toMatchObject({
      status: 422,
      body: { code: 'refund_too_large', detail: 'At most 50 USD of this balance can be refunded.', errors },
    });
    expect(await billing.send('POST', path, { ...consumer, body: {} })).toMatchObject({
      status: 201,
      body: { amount_usd: 50 },
    });
    expect(await billing.send('POST', path, { ...consumer, body: {} })).toMatchObject({ status: 422 });
  });

  it.each([0, 1.001, -5, '5'])('400: refuses %j dollars', async (amount) => {
    const body = { amount_usd: amount };
    const { status, body: problem } = await billing.send('POST', path, { ...(await billing.newAccount()), body });
    expect([status, problem['code']]).toEqual([400, 'invalid_request']);
  });
});
