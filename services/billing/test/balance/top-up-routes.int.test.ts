import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { setUpCard } from '../support/set-up-card.ts';
import { operatorToken, useBilling } from '../support/start-billing.ts';

const billing = useBilling();
const path = '/v1/billing/top-ups';

describe(`POST and GET ${path}`, () => {
  it('201: charges the card once per key, and shows the top-ups to their account alone', async () => {
    const [consumer, other] = [await billing.newAccount(), await billing.newAccount()];
    await setUpCard(billing, consumer, 'visa');
    const order = { ...consumer, body: { amount_usd: 50.5 }, headers: { 'idempotency-key': 'first' } };
    const made = await billing.send('POST', path, order);
    expect(made).toMatchObject({ status: 201, body: { amount_usd: 50.5, status: 'succeeded', failure_code: null } });
    const again = await billing.send('POST', path, order);
    expect(again).toMatchObject({ status: 201, body: made.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const id = String(made.body['id']);
    const acts = 'select action, object_id, detail from audit.act where account_id = $1 and action like $2';
    expect(await billing.owner.query(acts, [consumer.accountId, 'top_up%'])).toEqual([
      { action: 'top_up.ordered', object_id: id, detail: { amount_usd: '50.5' } },
    ]);
    expect(await billing.send('GET', `${path}/${id}`, consumer)).toMatchObject({ status: 200, body: { id } });
    expect(await billing.send('GET', `${path}/${id}`, other)).toMatchObject({ status: 404 });
    expect(await billing.send('GET', path, other)).toMatchObject({ body: { top_ups: [], total: 0 } });
    expect(await billing.send('GET', '/v1/billing/balance', consumer)).toMatchObject({
      body: { balance_usd: 50.5, credits: [{ top_up_id: id, left_usd: 50.5 }] },
    });
  });

  it('lists them by pages, newest first', async () => {
    const consumer = await billing.newAccount();
    await setUpCard(billing, consumer, 'visa');
    for (const amount of [1, 2, 3]) {
      billing.clock.advance(1_000);
      await billing.send('POST', path, { ...consumer, body: { amount_usd: amount } });
    }
    const first = await billing.send('GET', `${path}?limit=2`, consumer);
    expect(first.body).toMatchObject({ total: 3, has_more: true, top_ups: [{ amount_usd: 3 }, { amount_usd: 2 }] });
    const second = await billing.send('GET', `${path}?limit=2&cursor=${String(first.body['next_cursor'])}`, consumer);
    expect(second.body).toMatchObject({ has_more: false, top_ups: [{ amount_usd: 1 }] });
  });

  it('says failed when the card is declined, and 409 without one', async () => {
    const consumer = await billing.newAccount();
    const order = { ...consumer, body: { amount_usd: 5 } };
    expect(await billing.send('POST', path, order)).toMatchObject({
      status: 409,
      body: { code: 'payment_method_required' },
    });
    await setUpCard(billing, consumer, 'declined');
    expect(await billing.send('POST', path, order)).toMatchObject({
      status: 201,
      body: { status: 'failed', failure_code: 'declined', succeeded_at: null },
    });
  });

  it.each([0.99, 10_000.01, 1.001, -5, '5'])('400: refuses %j dollars', async (amount) => {
    const body = { amount_usd: amount };
    const { status, body: problem } = await billing.send('POST', path, { ...(await billing.newAccount()), body });
    expect([status, problem['code']]).toEqual([400, 'invalid_request']);
  });

  it('are disputed at the sandbox by their id, and an invoice or a top-up must be named', async () => {
    const consumer = await billing.newAccount();
    await setUpCard(billing, consumer, 'visa');
    const { body } = await billing.send('POST', path, { ...consumer, body: { amount_usd: 20 } });
    const dispute = (more: object) =>
      billing.send('POST', '/v1/sandbox/disputes', {
        token: operatorToken,
        body: { amount_usd: 5, outcome: 'lost', ...more },
      });
    expect(await dispute({})).toMatchObject({ status: 400 });
    expect(await dispute({ top_up_id: consumer.accountId })).toMatchObject({ status: 404 });
    expect(await dispute({ top_up_id: body['id'] })).toMatchObject({ status: 201, body: { top_up_id: body['id'] } });
    await eventually(
      async () => (await billing.send('GET', '/v1/billing/balance', consumer)).body['balance_usd'] === 15,
      { withinMs: 3_000 },
    );
  });
});
