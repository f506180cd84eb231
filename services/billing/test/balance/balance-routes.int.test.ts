import { describe, expect, it } from '@jest/globals';
import { operatorToken, useBilling } from '../support/start-billing.ts';
import { eventually } from '@tollgate/testkit/eventually';
import { setUpCard } from '../support/set-up-card.ts';

const billing = useBilling();

const credits = (accountId: string) => `/v1/operator/accounts/${accountId}/credits`;

async function newConsumer() {
  const consumer = await billing.newAccount();
  await setUpCard(billing, consumer, 'visa');
  const { body } = await billing.send('POST', '/v1/billing/top-ups', { ...consumer, body: { amount_usd: 50 } });
  return { consumer, topUpId: body['id'] };
}
const setting = { below_usd: 10, amount_usd: 50, monthly_max_usd: 200 };

describe('the credit limit of an account', () => {
  it('is set by the operator, and taken away by null', async () => {
    const { accountId } = await billing.newAccount();
    const path = `/v1/operator/accounts/${accountId}/credit-limit`;
    const set = (limit: unknown) =>
      billing.send('PUT', path, { token: operatorToken, body: { credit_limit_usd: limit } });
    const shown = async () => (await billing.send('GET', path, { token: operatorToken })).body['credit_limit_usd'];
    expect(await shown()).toBeNull();
    for (const limit of [100.5, 0, null]) {
      expect(await set(limit)).toMatchObject({ status: 200, body: { account_id: accountId, credit_limit_usd: limit } });
      expect(await shown()).toBe(limit);
    }
    for (const wrong of [-1, 0.001, '5', undefined]) expect(await set(wrong)).toMatchObject({ status: 400 });
    const nobody = path.replace(accountId, 'a0000000-0000-4000-8000-000000000000');
    expect(await billing.send('GET', nobody, { token: operatorToken })).toMatchObject({ status: 404 });
  });
});

describe('the credits of an account', () => {
  it('are granted by the operator, once per key, and shown to the account without the reason', async () => {
    const { accountId, token } = await billing.newAccount();
    const body = { amount_usd: 25, reason: 'welcome', expires_at: '2027-01-01T00:00:00Z' };
    const order = { token: operatorToken, body, headers: { 'idempotency-key': 'welcome' } };
    const granted = await billing.send('POST', credits(accountId), order);
    expect(granted).toMatchObject({ status: 201, body: { account_id: accountId, left_usd: 25, reason: 'welcome' } });
    const again = await billing.send('POST', credits(accountId), order);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await billing.send('GET', credits(accountId), { token: operatorToken })).toMatchObject({
      body: { total: 1, credits: [{ amount_usd: 25 }] },
    });
    const { body: balance } = await billing.send('GET', '/v1/billing/balance', { token });
    expect(balance).toMatchObject({ balance_usd: 25, credits: [{ left_usd: 25 }] });
    expect(JSON.stringify(balance)).not.toContain('welcome');
  });

  it('of nobody are 404, and of an account without any none', async () => {
    const nobody = 'a0000000-0000-4000-8000-000000000000';
    const body = { amount_usd: 1, reason: 'x' };
    expect(await billing.send('POST', credits(nobody), { token: operatorToken, body })).toMatchObject({ status: 404 });
    expect(await billing.send('GET', credits(nobody), { token: operatorToken })).toMatchObject({ status: 404 });
    const { token } = await billing.newAccount();
    expect(await billing.send('GET', '/v1/billing/balance', { token })).toMatchObject({
      status: 200,
      body: { balance_usd: 0, credits: [] },
    });
  });

  it.each([[{ amount_usd: 0, reason: 'x' }], [{ amount_usd: 1 }], [{ amount_usd: 0.001, reason: 'x' }]])(
    'are refused for %j',
    async (body) => {
      const { accountId } = await billing.newAccount();
      expect(await billing.send('POST', credits(accountId), { token: operatorToken, body })).toMatchObject({
        status: 400,
      });
    },
  );
});

describe('POST and GET /v1/billing/top-ups', () => {
  const path = '/v1/billing/top-ups';

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

describe('POST and GET /v1/billing/balance/refunds', () => {
  const path = '/v1/billing/balance/refunds';

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

describe('GET, PUT and DELETE /v1/billing/auto-top-up', () => {
  const path = '/v1/billing/auto-top-up';

  it('keep what tops the balance up, for its account alone', async () => {
    const [consumer, other] = [await billing.newAccount(), await billing.newAccount()];
    expect(await billing.send('GET', path, consumer)).toMatchObject({ status: 404 });
    expect(await billing.send('PUT', path, { ...consumer, body: setting })).toMatchObject({
      status: 200,
      body: setting,
    });
    const changed = { ...setting, amount_usd: 20.5 };
    await billing.send('PUT', path, { ...consumer, body: changed });
    const state = { ...changed, month_usd: 0 }; // a tick may have found no payment method meanwhile
    expect(await billing.send('GET', path, consumer)).toMatchObject({ status: 200, body: state });
    expect(await billing.send('GET', path, other)).toMatchObject({ status: 404 });
    expect(await billing.send('GET', '/v1/billing/balance', consumer)).toMatchObject({
      body: { balance_usd: 0, held_usd: 0, available_usd: 0, auto_top_up: state },
    });
    for (const _time of [1, 2]) expect(await billing.send('DELETE', path, consumer)).toMatchObject({ status: 204 });
    expect(await billing.send('GET', '/v1/billing/balance', consumer)).toMatchObject({ body: { auto_top_up: null } });
  });

  it.each([{ amount_usd: 0.5 }, { monthly_max_usd: 49.99 }, { below_usd: 0 }])('400: refuse %j', async (wrong) => {
    const body = { ...setting, ...wrong };
    expect(await billing.send('PUT', path, { ...(await billing.newAccount()), body })).toMatchObject({ status: 400 });
  });
});

describe('PUT /v1/billing/balance/alerts', () => {
  const path = '/v1/billing/balance/alerts';

  it('200: replaces the thresholds of its account alone, which the balance shows', async () => {
    const [consumer, other] = [await billing.newAccount(), await billing.newAccount()];
    const put = (below_usd: unknown) => billing.send('PUT', path, { ...consumer, body: { below_usd } });
    const shown = async ({ token }: { readonly token: string }) =>
      (await billing.send('GET', '/v1/billing/balance', { token })).body['alerts_below_usd'];
    expect(await put([5, 20.5, 5])).toMatchObject({ status: 200, body: { below_usd: [20.5, 5] } });
    expect(await put([5, 0.01])).toMatchObject({ status: 200, body: { below_usd: [5, 0.01] } });
    expect([await shown(consumer), await shown(other)]).toEqual([[5, 0.01], []]);
    expect(await put([])).toMatchObject({ status: 200, body: { below_usd: [] } });
    expect(await shown(consumer)).toEqual([]);
  });

  it.each([[[0]], [[0.001]], [['5']], [5], [Array.from({ length: 11 }, (_, at) => at + 1)]])(
    '400: refuses %j',
    async (below_usd) => {
      const asked = { ...(await billing.newAccount()), body: { below_usd } };
      expect(await billing.send('PUT', path, asked)).toMatchObject({ status: 400 });
    },
  );
});
