import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { PayoutAttempts, PayoutDetail, PayoutList, Statement } from '@tollgate/contracts/payouts';
import { onboard, readAccount } from '../support/connect-builder.ts';
import { putRollup, putWatermark } from '../support/put-rollup.ts';
import { setUpCard } from '../support/set-up-card.ts';
import { operatorToken, useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling({ hasSandboxClock: true });
let ada: TestAccount; // owns both tools
let bob: TestAccount; // pays by card
let carol: TestAccount; // has none
let dave: TestAccount; // nothing to do with it

const path = '/v1/billing/payouts';

const list = ({ token }: TestAccount, query = '') => billing.send<PayoutList>('GET', `${path}${query}`, { token });
const find = ({ token }: TestAccount, id: string) => billing.send<PayoutDetail>('GET', `${path}/${id}`, { token });
const state = ({ token }: TestAccount, query = '') =>
  billing.send<Statement>('GET', `/v1/billing/statements${query}`, { token });

async function reach(time: string): Promise<void> {
  await putWatermark(billing.owner, time);
  const moved = await billing.send('POST', '/v1/sandbox/clock', {
    token: operatorToken,
    body: { now: time, frozen: true },
  });
  expect(moved.status).toBe(200);
}

/** The story: each describe below begins where the one before it ended. */
beforeAll(async () => {
  const accounts = await Promise.all([1, 2, 3, 4].map(() => billing.newAccount()));
  [ada, bob, carol, dave] = accounts as [TestAccount, TestAccount, TestAccount, TestAccount];
  for (const [slug, usd] of [
    ['search', '0.01'],
    ['tiny', '0.000333'],
  ])
    await billing.send('POST', '/v1/tools', { ...ada, body: { slug, name: slug, price: { per_call_usd: usd } } });
  await onboard(billing, ada, 'complete');
  await setUpCard(billing, bob, 'visa');
  const use = (account: TestAccount, tool: string, [hour, calls]: readonly [string, number]) =>
    putRollup(billing.owner, { consumerId: account.accountId, tool, hour, calls });
  await use(bob, 'search', ['2026-11-05T10:00:00Z', 120_000]);
  await use(bob, 'tiny', ['2026-11-05T10:00:00Z', 10]);
  await use(carol, 'search', ['2026-11-06T10:00:00Z', 5_000]);
  await use(bob, 'search', ['2026-11-20T10:00:00Z', 30_000]);
  await use(bob, 'search', ['2026-12-01T10:00:00Z', 1_000]);
});

const november = { period: '2026-11', amount_usd: 1_550, net_usd: 1_528, fee_usd: 22, paid_at: null };

describe(`GET ${path}: 200, while nothing is closed`, () => {
  it('shows the current month as it would be if all was collected', async () => {
    const { body } = await list(ada);
    expect(body).toEqual({
      payouts: [{ id: expect.any(String), status: 'pending', ...november }],
      total: 1,
      has_more: false,
      next_cursor: null,
    });
    expect((await readAccount(billing, ada)).pending_balance_usd).toBe(1_528);
  });

  it('shows who earned nothing nothing', async () => {
    for (const account of [bob, dave])
      expect((await list(account)).body).toEqual({ payouts: [], total: 0, has_more: false, next_cursor: null });
  });
});

describe('GET /v1/billing/statements: 200, of a pending payout', () => {
  it('shows by tool, charge and day what it will be made of, exactly', async () => {
    const { body } = await state(ada);
    expect(body).toMatchObject({
      period: '2026-11',
      payout: { ...november, status: 'pending' },
      charge_usd: 1_550.00333,
    });
    expect(body.lines.map(({ tool_id: tool, day, charge_usd: usd }) => [tool, day, usd])).toEqual([
      ['search', '2026-11-05', 1_200],
      ['search', '2026-11-06', 50],
      ['search', '2026-11-20', 300],
      ['tiny', '2026-11-05', 0.00333],
    ]);
    proveSums(body);
  });
});

describe(`GET ${path}: 200, in the week before payout day`, () => {
  it('shows the ended month beside the current one', async () => {
    await reach('2026-12-03T00:00:00Z'); // closed, and collected from Bob
    const { body } = await list(ada);
    expect(body).toMatchObject({
      payouts: [
        { period: '2026-12', status: 'pending', amount_usd: 10, net_usd: 9.6, fee_usd: 0.4 },
        { status: 'pending', ...november },
      ],
      total: 2,
    });
    expect((await readAccount(billing, ada)).pending_balance_usd).toBe(1_537.6);
    for (const period of ['2026-11', '2026-12']) proveSums((await state(ada, `?period=${period}`)).body);
  });
});

describe(`GET ${path}: 200, after payout day`, () => {
  let pendingId = '';

  it('shows what was paid, and the rest with the current month', async () => {
    pendingId = (await list(ada, '?period=2026-11')).body.payouts[0]?.id ?? '';
    await reach('2026-12-08T00:00:00Z');
    const { body } = await list(ada);
    expect(body.payouts).toEqual([
      {
        id: expect.any(String),
        period: '2026-12',
        status: 'pending',
        amount_usd: 60,
        net_usd: 57.6,
        fee_usd: 2.4,
        paid_at: null,
      },
      {
        id: pendingId,
        period: '2026-11',
        status: 'paid',
        amount_usd: 1_500,
        net_usd: 1_480,
        fee_usd: 20,
        paid_at: '2026-12-08T00:00:00.000Z',
      },
    ]);
    expect((await readAccount(billing, ada)).pending_balance_usd).toBe(57.6);
  });

  it('filters by status and period, and pages', async () => {
    for (const [query, periods] of [
      ['?status=paid', ['2026-11']],
      ['?status=pending', ['2026-12']],
      ['?status=failed', []],
      ['?period=2026-11', ['2026-11']],
      ['?period=2026-10', []],
      ['?status=pending&period=2026-11', []],
    ] as const) {
      const { body } = await list(ada, query);
      expect([query, body.total, body.payouts.map(({ period }) => period)]).toEqual([query, periods.length, periods]);
    }
    const first = (await list(ada, '?limit=1')).body;
    expect(first).toMatchObject({ total: 2, has_more: true, payouts: [{ period: '2026-12' }] });
    const second = (await list(ada, `?limit=1&cursor=${first.next_cursor}`)).body;
    expect(second).toMatchObject({ total: 2, has_more: false, next_cursor: null, payouts: [{ period: '2026-11' }] });
    expect((await list(dave, `?cursor=${first.next_cursor}`)).body.payouts).toEqual([]);
  });

  it('one payout: by tool, with what it left for the next and how it was transferred', async () => {
    const { body } = await find(ada, pendingId);
    expect(body).toMatchObject({
      status: 'paid',
      lines: [
        { tool_id: 'search', charge_usd: 1_500, earning_usd: 1_480, fee_usd: 20 },
        { tool_id: 'tiny', charge_usd: 0.00333, earning_usd: 0.003197, fee_usd: 0.000133 },
      ],
      carried_in: { earning_usd: 0, fee_usd: 0 },
      carried_out: { earning_usd: 0.003197, fee_usd: 0.000133 },
      next_attempt_at: null,
      attempts: [{ number: 1, status: 'succeeded', amount_usd: 1_480, failure_code: null }],
    });
    const { payouts } = (await list(ada, '?status=pending')).body;
    expect((await find(ada, payouts[0]?.id ?? '')).body).toMatchObject({
      status: 'pending',
      lines: [{ tool_id: 'search', charge_usd: 60, earning_usd: 57.6, fee_usd: 2.4 }],
      carried_in: { earning_usd: 0.003197, fee_usd: 0.000133 },
      attempts: [],
    });
  });

  it('its statement has the days of those who paid, and adds up to it', async () => {
    const { body } = await state(ada, '?period=2026-11');
    expect(body.payout).toMatchObject({ id: pendingId, status: 'paid', net_usd: 1_480 });
    expect(body.lines.map(({ tool_id: tool, type, day, charge_usd: usd }) => [tool, type, day, usd])).toEqual([
      ['search', 'usage', '2026-11-05', 1_200],
      ['search', 'usage', '2026-11-20', 300],
      ['tiny', 'usage', '2026-11-05', 0.00333],
    ]);
    proveSums(body);
    proveSums((await state(ada)).body); // Carol's November is in December's
  });

  it('404: another account’s, what is none, a month without a payout', async () => {
    for (const account of [bob, dave]) expect(await find(account, pendingId)).toMatchObject({ status: 404 });
    for (const id of [randomUUID(), 'none', pendingId.toUpperCase()])
      expect(await find(ada, id)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await state(ada, '?period=2026-10')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await state(dave)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('the operator sees the same, and more of the attempts', async () => {
    const token = operatorToken;
    const ofAda = await billing.send('GET', `/v1/operator/accounts/${ada.accountId}/payouts`, { token });
    expect(ofAda.body).toEqual((await list(ada)).body);
    const attempts = await billing.send<PayoutAttempts>('GET', `/v1/operator/payouts/${pendingId}/attempts`, { token });
    expect(attempts.body).toMatchObject({
      payout: { id: pendingId, account_id: ada.accountId, status: 'paid', failures: 0, next_attempt_at: null },
      attempts: [
        {
          number: 1,
          status: 'succeeded',
          processor: 'sandbox',
          processor_account_id: (await readAccount(billing, ada)).processor_account_id,
          object_id: expect.stringMatching(/^tr_/),
          idempotency_key: expect.stringContaining(pendingId),
        },
      ],
      total: 1,
    });
    for (const unknown of [`accounts/${randomUUID()}/payouts`, `payouts/${randomUUID()}/attempts`])
      expect(await billing.send('GET', `/v1/operator/${unknown}`, { token })).toMatchObject({ status: 404 });
  });

  it('a refund is a line of the next statement', async () => {
    const [invoice] = (await billing.send<{ invoices: { id: string }[] }>('GET', '/v1/billing/invoices', bob)).body
      .invoices;
    const refunded = await billing.send('POST', `/v1/operator/invoices/${invoice?.id}/refunds`, {
      token: operatorToken,
      body: { amount_usd: 100 },
    });
    expect(refunded.status).toBe(201);
    const { body } = await state(ada);
    const back = body.lines.filter(({ type }) => type === 'refund');
    expect(back.reduce((sum, { charge_usd: usd }) => sum + Math.round(usd * 1e6), 0)).toBe(-100_000_000);
    expect(back.every(({ day }) => day === null)).toBe(true);
    proveSums(body);
    expect((await list(ada, '?status=pending')).body.payouts).toMatchObject([{ net_usd: -38.4, fee_usd: -1.6 }]);
    expect((await readAccount(billing, ada)).pending_balance_usd).toBe(-38.4);
  });
});

describe('what is late, and what is lost', () => {
  it('what was counted late for a paid month is an adjustment in a later statement; the days of the first one tell it', async () => {
    const late = { consumerId: bob.accountId, tool: 'tiny', hour: '2026-11-07T10:00:00Z', calls: 100_000 };
    await putRollup(billing.owner, late); // 33.30 USD
    await reach('2027-01-03T00:00:00Z');
    const { body } = await state(ada, '?period=2026-12');
    expect(body.lines.filter(({ type }) => type === 'adjustment')).toMatchObject([
      { tool_id: 'tiny', period: '2026-11', day: null, charge_usd: 33.3 },
    ]);
    proveSums(body);
    const first = (await state(ada, '?period=2026-11')).body;
    expect(first.lines.filter(({ tool_id: tool }) => tool === 'tiny')).toMatchObject([
      { type: 'usage', day: '2026-11-05', charge_usd: 0.00333 },
      { type: 'usage', day: '2026-11-07', charge_usd: 33.3 },
      { type: 'usage', day: null, charge_usd: -33.3 },
    ]);
    proveSums(first);
  });

  it('what was written off is in no pending balance any more', async () => {
    expect((await readAccount(billing, ada)).pending_balance_usd).toBe(-6.43); // Carol's 48 are still to come
    await reach('2027-02-20T00:00:00Z');
    expect((await readAccount(billing, ada)).pending_balance_usd).toBe(-54.43);
    const { body } = await list(ada, '?status=pending');
    expect(body.payouts).toMatchObject([{ period: '2027-02', net_usd: -54.43, fee_usd: -2.27 }]);
    proveSums((await state(ada)).body);
  });
});

describe('refusals', () => {
  it.each([
    ['/period', `${path}?period=2026-13`],
    ['/status', `${path}?status=late`],
    ['/limit', `${path}?limit=0`],
    ['/period', '/v1/billing/statements?period=november'],
  ])('400: points at %s of %s', async (pointer, asked) => {
    expect(await billing.send('GET', asked, ada)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ pointer }] },
    });
  });

  it('400: a cursor that was not given out', async () => {
    expect(await list(ada, '?cursor=abc')).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  it('401 without a credential', async () => {
    for (const asked of [path, `${path}/${randomUUID()}`, '/v1/billing/statements'])
      expect(await billing.send('GET', asked)).toMatchObject({ status: 401 });
  });
});

/** In whole micro-dollars, which these few digits are exact in. */
function proveSums({ payout, lines, carried_in: carriedIn, carried_out: carriedOut, ...sums }: Statement): void {
  const micros = (usd: number) => Math.round(usd * 1e6);
  for (const field of ['charge_usd', 'earning_usd', 'fee_usd'] as const)
    expect(lines.reduce((sum, line) => sum + micros(line[field]), 0)).toBe(micros(sums[field]));
  for (const line of lines) expect(micros(line.earning_usd) + micros(line.fee_usd)).toBe(micros(line.charge_usd));
  const { net_usd: net, fee_usd: fee } = payout;
  expect(micros(carriedIn.earning_usd) + micros(sums.earning_usd)).toBe(micros(net) + micros(carriedOut.earning_usd));
  expect(micros(carriedIn.fee_usd) + micros(sums.fee_usd)).toBe(micros(fee) + micros(carriedOut.fee_usd));
}
