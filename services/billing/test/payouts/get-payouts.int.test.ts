import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { InvoiceList } from '@tollgate/contracts/money/invoices';
import type { PayoutAttempts, PayoutDetail, PayoutList, Statement } from '@tollgate/contracts/money/payouts';
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
const empty = { payouts: [], total: 0, has_more: false, next_cursor: null };
const notFound = { status: 404, body: { code: 'not_found' } };

const list = ({ token }: TestAccount, query = '') => billing.send<PayoutList>('GET', `${path}${query}`, { token });
const find = ({ token }: TestAccount, id: string) => billing.send<PayoutDetail>('GET', `${path}/${id}`, { token });
const state = ({ token }: TestAccount, query = '') =>
  billing.send<Statement>('GET', `/v1/billing/statements${query}`, { token });
const pendingUsd = async () => (await readAccount(billing, ada)).pending_balance_usd;

async function order(asked: string, body: object): Promise<void> {
  const { status, text } = await billing.send('POST', asked, { token: operatorToken, body });
  if (status >= 300) throw new Error(text);
}

async function reach(time: string): Promise<void> {
  await putWatermark(billing.owner, time);
  await order('/v1/sandbox/clock', { now: time, frozen: true });
}

const use = ({ accountId: consumerId }: TestAccount, tool: string, [time, calls]: readonly [string, number]) =>
  putRollup(billing.owner, { consumerId, tool, hour: `${time}T10:00:00Z`, calls });

beforeAll(async () => {
  const accounts = await Promise.all([1, 2, 3, 4].map(() => billing.newAccount()));
  [ada, bob, carol, dave] = accounts as [TestAccount, TestAccount, TestAccount, TestAccount];
  for (const [slug, usd] of Object.entries({ search: '0.01', tiny: '0.000333' }))
    await billing.send('POST', '/v1/tools', { ...ada, body: { slug, name: slug, price: { per_call_usd: usd } } });
  await onboard(billing, ada, 'complete');
  await setUpCard(billing, bob, 'visa');
  await use(bob, 'search', ['2026-11-05', 120_000]);
  await use(bob, 'tiny', ['2026-11-05', 10]);
  await use(carol, 'search', ['2026-11-06', 5_000]);
  await use(bob, 'search', ['2026-11-20', 30_000]);
  await use(bob, 'search', ['2026-12-01', 1_000]);
});

const november = { period: '2026-11', amount_usd: 1_550, net_usd: 1_528, fee_usd: 22, paid_at: null };

/** Each begins where the one before it ended. */
describe(`GET ${path} and /v1/billing/statements: a builder’s November`, () => {
  let id = '';

  it('is shown, while nothing is closed, as if all was collected: by tool and day, exactly', async () => {
    const pending = { id: expect.any(String), status: 'pending', ...november };
    expect((await list(ada)).body).toEqual({ ...empty, payouts: [pending], total: 1 });
    expect(await pendingUsd()).toBe(1_528); // and 0.003197: down to the cent
    for (const account of [bob, dave]) expect((await list(account)).body).toEqual(empty);
    const { body } = await state(ada);
    const payout = { ...november, status: 'pending' };
    expect(body).toMatchObject({ period: '2026-11', payout, charge_usd: 1_550.00333 });
    expect(body.lines.map(({ tool_id: tool, day, charge_usd: usd }) => [tool, day, usd])).toEqual([
      ['search', '2026-11-05', 1_200],
      ['search', '2026-11-06', 50],
      ['search', '2026-11-20', 300],
      ['tiny', '2026-11-05', 0.00333],
    ]);
    proveSums(body);
  });

  it('stands beside the current month in the week before payout day', async () => {
    await reach('2026-12-03T00:00:00Z'); // closed, and collected from Bob
    const december = { period: '2026-12', status: 'pending', amount_usd: 10, net_usd: 9.6, fee_usd: 0.4 };
    const both = { payouts: [december, { status: 'pending', ...november }], total: 2 };
    expect((await list(ada)).body).toMatchObject(both);
    expect(await pendingUsd()).toBe(1_537.6);
    for (const period of ['2026-11', '2026-12']) proveSums((await state(ada, `?period=${period}`)).body);
  });

  it('is paid on payout day as far as it was collected; the rest is with the current month', async () => {
    id = (await list(ada, '?period=2026-11')).body.payouts[0]?.id ?? '';
    await reach('2026-12-08T00:00:00Z');
    const { payouts } = (await list(ada)).body;
    expect(payouts).toMatchObject([
      { period: '2026-12', status: 'pending', amount_usd: 60, net_usd: 57.6, fee_usd: 2.4, paid_at: null },
      { id, period: '2026-11', status: 'paid', amount_usd: 1_500, net_usd: 1_480, fee_usd: 20 },
    ]);
    expect(payouts[1]?.paid_at).toBe('2026-12-08T00:00:00.000Z');
    expect(await pendingUsd()).toBe(57.6);
  });

  it('is found by status and period, and in pages', async () => {
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
    expect(second).toMatchObject({ total: 2, has_more: false, next_cursor: null, payouts: [{ id }] });
    expect((await list(dave, `?cursor=${first.next_cursor}`)).body.payouts).toEqual([]);
  });

  it('is shown by tool, with what it left for the next one and how it was transferred', async () => {
    const left = { earning_usd: 0.003197, fee_usd: 0.000133 };
    expect((await find(ada, id)).body).toMatchObject({
      status: 'paid',
      lines: [
        { tool_id: 'search', charge_usd: 1_500, earning_usd: 1_480, fee_usd: 20 },
        { tool_id: 'tiny', charge_usd: 0.00333, ...left },
      ],
      carried_in: { earning_usd: 0, fee_usd: 0 },
      carried_out: left,
      next_attempt_at: null,
      attempts: [{ number: 1, status: 'succeeded', amount_usd: 1_480, failure_code: null }],
    });
    const { payouts } = (await list(ada, '?status=pending')).body;
    expect((await find(ada, payouts[0]?.id ?? '')).body).toMatchObject({
      lines: [{ tool_id: 'search', charge_usd: 60, earning_usd: 57.6, fee_usd: 2.4 }],
      carried_in: left,
      attempts: [],
    });
  });

  it('has a statement of the days of those who paid, which adds up to it', async () => {
    const { body } = await state(ada, '?period=2026-11');
    expect(body.payout).toMatchObject({ id, status: 'paid', net_usd: 1_480 });
    expect(body.lines.map(({ tool_id: tool, type, day, charge_usd: usd }) => [tool, type, day, usd])).toEqual([
      ['search', 'usage', '2026-11-05', 1_200],
      ['search', 'usage', '2026-11-20', 300],
      ['tiny', 'usage', '2026-11-05', 0.00333],
    ]);
    proveSums(body);
    proveSums((await state(ada)).body); // Carol's November is in December's
  });

  it('404: is found by nobody else, nor by another id, nor in a month without a payout', async () => {
    for (const account of [bob, dave]) expect(await find(account, id)).toMatchObject(notFound);
    for (const other of [randomUUID(), 'none', id.toUpperCase()])
      expect(await find(ada, other)).toMatchObject(notFound);
    expect(await state(ada, '?period=2026-10')).toMatchObject(notFound);
    expect(await state(dave)).toMatchObject(notFound);
  });

  it('is shown to the operator, with more of its attempts', async () => {
    const token = operatorToken;
    const ofAda = await billing.send('GET', `/v1/operator/accounts/${ada.accountId}/payouts`, { token });
    expect(ofAda.body).toEqual((await list(ada)).body);
    const { body } = await billing.send<PayoutAttempts>('GET', `/v1/operator/payouts/${id}/attempts`, { token });
    const payout = { id, account_id: ada.accountId, status: 'paid', failures: 0, next_attempt_at: null };
    expect(body).toMatchObject({ payout, total: 1 });
    expect(body.attempts).toMatchObject([
      {
        number: 1,
        status: 'succeeded',
        processor: 'sandbox',
        processor_account_id: (await readAccount(billing, ada)).processor_account_id,
        object_id: expect.stringMatching(/^tr_/),
        idempotency_key: expect.stringContaining(id),
      },
    ]);
    const unknown = `/v1/operator/accounts/${randomUUID()}/payouts`;
    expect(await billing.send('GET', unknown, { token })).toMatchObject(notFound);
  });

  it('that is refunded in part is a line of the next statement', async () => {
    const { body: invoices } = await billing.send<InvoiceList>('GET', '/v1/billing/invoices', bob);
    await order(`/v1/operator/invoices/${invoices.invoices[0]?.id}/refunds`, { amount_usd: 100 });
    const { body } = await state(ada);
    const back = body.lines.filter(({ type }) => type === 'refund');
    expect(back.reduce((sum, { charge_usd: usd }) => sum + Math.round(usd * 1e6), 0)).toBe(-100_000_000);
    expect(back.every(({ day }) => day === null)).toBe(true);
    proveSums(body);
    expect((await list(ada, '?status=pending')).body.payouts).toMatchObject([{ net_usd: -38.4, fee_usd: -1.6 }]);
    expect(await pendingUsd()).toBe(-38.4);
  });

  it('that was counted late is an adjustment in a later statement; the days of the first one tell it', async () => {
    await use(bob, 'tiny', ['2026-11-07', 100_000]); // 33.30 USD
    expect(await pendingUsd()).toBe(-6.43); // at once, and not after the next close
    proveSums((await state(ada)).body);
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

  it('that was written off is in no pending balance any more', async () => {
    expect(await pendingUsd()).toBe(-6.43); // Carol's 48 are still to come
    await reach('2027-02-20T00:00:00Z');
    expect(await pendingUsd()).toBe(-54.43);
    const february = { period: '2027-02', net_usd: -54.43, fee_usd: -2.27 };
    expect((await list(ada, '?status=pending')).body.payouts).toMatchObject([february]);
    proveSums((await state(ada)).body);
  });
});

it.each([
  ['/period', `${path}?period=2026-13`],
  ['/status', `${path}?status=late`],
  ['/limit', `${path}?limit=0`],
  ['/cursor', `${path}?cursor=abc`],
  ['/period', '/v1/billing/statements?period=november'],
])('400: points at %s of %s', async (pointer, asked) => {
  const body = { code: 'invalid_request', errors: [{ pointer }] };
  expect(await billing.send('GET', asked, ada)).toMatchObject({ status: 400, body });
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
