import { beforeAll, describe, expect, it } from '@jest/globals';
import type { InvoiceSummaryList } from '@tollgate/contracts/money/invoices';
import type { OperatorPayoutList } from '@tollgate/contracts/money/payouts';
import type { MoneyPath } from '@tollgate/contracts/operator/money-path';
import type { OperatorOverview } from '@tollgate/contracts/operator/overview';
import type { Aging, Fees, Revenue, TrialBalance } from '@tollgate/contracts/operator/reports';
import { onboard } from '../support/connect-builder.ts';
import { putRollup, putWatermark } from '../support/put-rollup.ts';
import { setUpCard } from '../support/set-up-card.ts';
import { type TestAccount, operatorToken as token, useBilling } from '../support/start-billing.ts';
import { randomUUID } from 'node:crypto';

let ada: TestAccount; // the builder
let bob: TestAccount; // pays 1,500 USD by card
let carol: TestAccount; // owes 50 USD
const lines = (text: string) => text.split('\r\n').slice(0, -1);

const path = '/v1/operator/accounts';

interface AccountList {
  readonly accounts: readonly { readonly account_id: string; readonly email: string }[];
  readonly total: number;
  readonly next_cursor: string | null;
}
let newestFirst: string[];

interface Orders {
  readonly orders: readonly object[];
  readonly total: number;
}

describe('operator lists', () => {
  const billing = useBilling({ hasSandboxClock: true });

  const get = <Body>(path: string) => billing.send<Body>('GET', `/v1/operator/${path}`, { token });
  const invoices = (query = '') => get<InvoiceSummaryList>(`invoices${query}`);
  const payouts = (query = '') => get<OperatorPayoutList>(`payouts${query}`);

  async function order(path: string, body: object): Promise<void> {
    const { status, text } = await billing.send('POST', path, { token, body });
    if (status >= 300) throw new Error(text);
  }

  async function reach(time: string): Promise<void> {
    await putWatermark(billing.owner, time);
    await order('/v1/sandbox/clock', { now: time, frozen: true });
  }

  /** The transfer of Ada's payout of November is declined until 20 December and after. */
  beforeAll(async () => {
    [ada, bob, carol] = [await billing.newAccount(), await billing.newAccount(), await billing.newAccount()];
    await billing.newTool(ada, { slug: 'search' });
    await onboard(billing, ada, 'complete');
    await setUpCard(billing, bob, 'visa');
    const used = { tool: 'search', hour: '2026-11-05T10:00:00Z' };
    await putRollup(billing.owner, { ...used, consumerId: bob.accountId, calls: 150_000 });
    await putRollup(billing.owner, { ...used, consumerId: carol.accountId, calls: 5_000 });
    await order('/v1/sandbox/failures', { on: 'transfer', failure: 'decline', times: 100 });
    await reach('2026-12-03T00:00:00Z');
    await reach('2026-12-08T00:00:00Z');
  });

  it('GET /v1/operator/overview has the money of this month, as the report of fees has it', async () => {
    const { body: fees } = await get<Fees>('fees?from=2026-12&to=2026-12');
    const { collected_usd, platform_fees_usd } = fees.months[0] ?? {};
    expect(collected_usd).toBe(1_500);
    const { body } = await get<OperatorOverview>('overview');
    expect(body.month).toMatchObject({ period: '2026-12', calls: 0, collected_usd, platform_fees_usd });
    expect(body.counting.counted_through).toBe('2026-12-08T00:00:00.000Z');
  });

  it('F376 GET /v1/operator/money-path leads from charges over payments and fees to payouts', async () => {
    const path = (period: string) => get<MoneyPath>(`money-path?period=${period}`);
    const sumsOf = async (period: string) =>
      Object.entries((await path(period)).body).filter(([, sum]) => typeof sum === 'number' && sum !== 0);
    expect(await sumsOf('2026-10')).toEqual([]);
    expect(await sumsOf('2026-11')).toEqual([
      ['charged_usd', 1_550], // the month of the calls
      ['owed_after_usd', 1_550],
    ]);
    const { body: december } = await path('2026-12');
    const { body: overview } = await get<OperatorOverview>('overview');
    const fees = overview.month.platform_fees_usd;
    expect(fees).toBeGreaterThan(0);
    expect(december).toEqual({
      period: '2026-12',
      owed_before_usd: 1_550,
      charged_usd: 0,
      paid_usd: 1_500,
      paid_by_card_usd: 1_500,
      paid_by_balance_usd: 0,
      written_off_usd: 0,
      owed_after_usd: 50,
      platform_fees_usd: fees,
      earnings_usd: 1_500 - fees,
      payable_before_usd: 0,
      paid_out_usd: 0, // the transfer is declined, so all of it is on its way
      taken_back_usd: 0,
      payable_after_usd: 1_500 - fees,
    });
    const { body: january } = await path('2027-01');
    expect(january).toMatchObject({ owed_before_usd: 50, payable_before_usd: 1_500 - fees, charged_usd: 0 });
    expect(await get('money-path')).toMatchObject({ status: 400 });
  });

  describe('GET /v1/operator/invoices', () => {
    it('200: lists the invoices of all accounts without their lines', async () => {
      const { body } = await invoices();
      expect(body).toMatchObject({ total: 2, has_more: false });
      const listed = body.invoices.map((invoice) => [invoice.account_id, invoice.status, invoice.total_usd]);
      expect(listed).toContainEqual([bob.accountId, 'paid', 1_500]);
      expect(listed).toContainEqual([carol.accountId, 'open', 50]);
      for (const invoice of body.invoices) expect(invoice).not.toHaveProperty('lines');
    });

    it.each([
      ['status=open', ['open']],
      ['status=paid&period=2026-11', ['paid']],
      ['period=2026-10', []],
      ['status=void', []],
      ['status=carried', []],
    ])('200: %s', async (query, statuses) => {
      const { body } = await invoices(`?${query}`);
      expect(body.invoices.map(({ status }) => status)).toEqual(statuses);
      expect(body.total).toBe(statuses.length);
    });

    it('200: lists one account', async () => {
      const { body } = await invoices(`?account_id=${carol.accountId}`);
      expect(body).toMatchObject({ total: 1, invoices: [{ account_id: carol.accountId }] });
    });

    it('200: finds one invoice by its id', async () => {
      const [wanted] = (await invoices('?status=open')).body.invoices;
      expect((await invoices(`?invoice_id=${wanted?.id}`)).body).toMatchObject({ total: 1, invoices: [wanted] });
      expect((await invoices(`?invoice_id=${randomUUID()}`)).body).toMatchObject({ total: 0, invoices: [] });
    });

    it('200: has pages, also as tables', async () => {
      const first = await invoices('?limit=1');
      expect(first.body).toMatchObject({ total: 2, has_more: true });
      const second = await invoices(`?limit=1&cursor=${first.body.next_cursor}`);
      expect(second.body).toMatchObject({ has_more: false, next_cursor: null });
      const table = await invoices('?limit=1&format=csv');
      expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(table.headers.get('x-next-cursor')).toBe(first.body.next_cursor);
      const [header, row, ...others] = lines(table.text);
      expect(header).toBe(
        'account_id,id,number,status,issued_at,due_at,paid_at,period,currency,charge_usd,carried_in_usd,total_usd,carried_out_usd,refunded_usd,balance_paid_usd,card_paid_usd,held_for',
      );
      const [invoice] = first.body.invoices;
      expect(row).toContain(`${invoice?.account_id},${invoice?.id},${invoice?.number},${invoice?.status},`);
      expect(others).toEqual([]);
      const last = await invoices(`?limit=1&format=csv&cursor=${first.body.next_cursor}`);
      expect(last.headers.has('x-next-cursor')).toBe(false);
    });

    it.each(['status=draft', 'format=xml', 'account_id=me', 'cursor=abc'])('400: %s', async (query) => {
      expect(await invoices(`?${query}`)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    });
  });

  describe('GET /v1/operator/aging, trial-balance and revenue', () => {
    it('200: sums what is owed, by age', async () => {
      const { body } = await get<Aging>('aging');
      expect(body).toMatchObject({ as_of: '2026-12-08T00:00:00.000Z', invoices: 1, owed_usd: 50 });
      expect(body.buckets).toEqual([
        { age: 'not_due', invoices: 1, owed_usd: 50 },
        { age: '1_30_days', invoices: 0, owed_usd: 0 },
        { age: '31_60_days', invoices: 0, owed_usd: 0 },
        { age: 'over_60_days', invoices: 0, owed_usd: 0 },
      ]);
    });

    it('200: balances', async () => {
      const { body } = await get<TrialBalance>('trial-balance');
      const sides = Object.fromEntries(
        body.accounts.map(({ account, debit_usd: debit, credit_usd: credit }) => [account, [debit, credit]]),
      );
      expect(sides).toMatchObject({
        receivable: [50, 0],
        builder_earned: [0, 50],
        builder_payable: [0, 1_480], // 4 % of 500 are the platform's
        in_transit: [0, 0],
        platform_fees: [0, 20],
      });
      const [[cash = 0] = [], [costs = 0] = []] = [sides['cash'], sides['processor_fees']];
      expect(costs).toBeGreaterThan(0);
      expect(Math.round((cash + costs) * 100)).toBe(150_000);
      expect(body.debit_usd).toBe(1_550);
      expect(body.credit_usd).toBe(1_550);
      expect(body.period).toBeNull();
    });

    it('200: balances at the end of a month, which has its close and nothing that happened later', async () => {
      const { body } = await get<TrialBalance>('trial-balance?period=2026-11');
      const moved = body.accounts.filter(({ debit_usd: debit, credit_usd: credit }) => debit !== credit);
      expect(moved).toEqual([
        { account: 'receivable', debit_usd: 1_550, credit_usd: 0 },
        { account: 'builder_earned', debit_usd: 0, credit_usd: 1_550 },
      ]);
      expect(body).toMatchObject({ period: '2026-11', debit_usd: 1_550, credit_usd: 1_550 });
      expect((await get<TrialBalance>('trial-balance?period=2026-10')).body.debit_usd).toBe(0);
    });

    it('200: shows the revenue per month, also as a table', async () => {
      const { body } = await get<Revenue>('revenue');
      const [december] = body.months;
      expect(body.months).toMatchObject([{ period: '2026-12', fees_usd: 20, rounding_usd: 0 }]);
      const cost = december?.processor_fees_usd ?? 0;
      expect(Math.round((20 - cost) * 100)).toBe(Math.round((december?.net_usd ?? 0) * 100));
      expect((await get<Revenue>('revenue?from=2027-01')).body.months).toEqual([]);
      expect((await get<Revenue>('revenue?to=2026-11')).body.months).toEqual([]);
      expect((await get<Revenue>('revenue?from=2026-12&to=2026-12')).body.months).toHaveLength(1);
      expect(lines((await get('revenue?format=csv')).text)).toEqual([
        'period,fees_usd,processor_fees_usd,promotions_usd,rounding_usd,net_usd',
        `2026-12,20,${cost},0,0,${december?.net_usd}`,
      ]);
    });

    it('200: shows the fees of the processor against those of the platform, also as a table', async () => {
      const [december] = (await get<Fees>('fees')).body.months;
      const cost = december?.charge_fees_usd ?? 0;
      expect(december).toMatchObject({
        period: '2026-12',
        collected_usd: 1_500,
        platform_fees_usd: 20,
        dispute_fees_usd: 0,
        borne_by_builders_usd: 0,
      });
      expect(Math.round(((december?.margin_usd ?? 0) + cost) * 100)).toBe(2_000);
      expect(cost).toBeGreaterThan(20); // the platform makes a loss
      expect((await get<Fees>('fees?from=2027-01')).body.months).toEqual([]);
      expect(lines((await get('fees?format=csv')).text)).toEqual([
        'period,collected_usd,platform_fees_usd,charge_fees_usd,dispute_fees_usd,refund_fees_usd,borne_by_builders_usd,margin_usd',
        `2026-12,1500,20,${cost},0,0,0,${december?.margin_usd}`,
      ]);
    });

    it('200: each is a table with a line per entry', async () => {
      const aging = lines((await get('aging?format=csv')).text);
      expect(aging.slice(0, 2)).toEqual(['age,invoices,owed_usd', 'not_due,1,50']);
      const balance = lines((await get('trial-balance?format=csv')).text);
      expect(balance).toHaveLength(15);
      expect(balance).toContain('builder_payable,0,1480');
    });
  });

  /** It stands last, since time passes. */
  describe('GET /v1/operator/payouts', () => {
    it('200: lists the payouts of all accounts with their failures', async () => {
      const { body } = await payouts();
      expect(body).toMatchObject({
        total: 1,
        payouts: [
          {
            account_id: ada.accountId,
            period: '2026-11',
            status: 'failed',
            net_usd: 1_480,
            fee_usd: 20,
            failures: 1,
            failing_since: '2026-12-08T00:00:00.000Z',
          },
        ],
      });
      for (const query of ['?status=paid', `?account_id=${bob.accountId}`, '?failing_for_days=7'])
        expect((await payouts(query)).body).toMatchObject({ payouts: [], total: 0 });
    });

    it('200: lists those that have failed for more than 7 days, also as a table; then aging moves on, too', async () => {
      await reach('2026-12-20T00:00:00Z');
      const { body } = await payouts('?status=failed&failing_for_days=7');
      expect(body).toMatchObject({ total: 1, payouts: [{ failing_since: '2026-12-08T00:00:00.000Z' }] });
      const [header, ...rows] = lines((await payouts('?failing_for_days=7&format=csv')).text);
      expect(header).toBe(
        'id,amount_usd,net_usd,fee_usd,status,period,paid_at,account_id,next_attempt_at,failures,failing_since',
      );
      expect(rows).toHaveLength(1);
      expect(rows[0]).toContain(`,1500,1480,20,failed,2026-11,,${ada.accountId},`);
      const aging = await get<Aging>('aging');
      expect(aging.body.buckets[1]).toEqual({ age: '1_30_days', invoices: 1, owed_usd: 50 });
    });

    it.each(['status=pending', 'failing_for_days=0', 'failing_for_days=x'])('400: %s', async (query) => {
      expect(await payouts(`?${query}`)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    });
  });

  describe('GET /v1/operator/invoices, once one is below the minimum', () => {
    it('200: status=carried lists that one alone', async () => {
      const used = { tool: 'search', hour: '2026-12-21T10:00:00Z', consumerId: carol.accountId, calls: 30 };
      await putRollup(billing.owner, used);
      await reach('2027-01-03T00:00:00Z');
      const { body } = await invoices('?status=carried');
      const [invoice] = body.invoices;
      expect(body).toMatchObject({ total: 1, invoices: [{ account_id: carol.accountId, period: '2026-12' }] });
      expect(invoice).toMatchObject({ status: 'carried', total_usd: 0, carried_out_usd: 0.3 });
    });
  });

  describe('GET /v1/operator/unknown-outcomes', () => {
    it('200: lists orders until their outcome is known, with what they are of', async () => {
      expect((await get<Orders>('unknown-outcomes')).body).toMatchObject({ total: 0, orders: [], next_cursor: null });
      const [paid] = (await invoices('?status=paid')).body.invoices;
      const timeout = { on: 'refund', failure: 'timeout_before_effect', times: 1 };
      await order('/v1/sandbox/failures', timeout);
      await order(`/v1/operator/invoices/${paid?.id}/refunds`, { amount_usd: 2.5 });
      const { body } = await get<Orders>('unknown-outcomes');
      const known = { kind: 'refund', account_id: bob.accountId, invoice_id: paid?.id, payout_id: null };
      expect(body).toMatchObject({ total: 1, orders: [{ ...known, amount_usd: 2.5, processor: 'sandbox' }] });
      const after = await get<Orders>(`unknown-outcomes?cursor=abc`);
      expect(after).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      await reach('2027-02-01T00:00:00Z');
      expect((await get<Orders>('unknown-outcomes')).body).toMatchObject({ total: 0 });
    });
  });
});

describe('list accounts', () => {
  const billing = useBilling();
  beforeAll(async () => {
    const made = [];
    for (let place = 0; place < 5; place += 1) made.push((await billing.newAccount()).accountId); // all at one time
    newestFirst = made.toSorted().toReversed();
  });

  const list = async (query = '') => (await billing.send<AccountList>('GET', `${path}${query}`, { token })).body;
  const find = (name: string) => billing.send<{ email: string }>('GET', `${path}/${name}`, { token });

  describe(`GET ${path}`, () => {
    it.each([1, 2, 3, 5])('shows each once in pages of %i, with the same total on all', async (limit) => {
      const ids: string[] = [];
      for (let cursor = ''; ;) {
        const page = await list(`?limit=${limit}${cursor}`);
        ids.push(...page.accounts.map(({ account_id }) => account_id));
        expect(page.total).toBe(5);
        if (page.next_cursor === null) break;
        cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
      }
      expect(ids).toEqual(newestFirst);
    });

    it('finds one by its e-mail, however that is written', async () => {
      const [account] = (await list('?limit=1')).accounts;
      const found = await list(`?email=%20${account?.email.toUpperCase()}`);
      expect(found).toMatchObject({ accounts: [account], total: 1, next_cursor: null });
      expect(await list('?email=nobody@example.com')).toMatchObject({ accounts: [], total: 0 });
    });

    it.each([
      ['/limit', 'limit=101'],
      ['/cursor', 'cursor=WyJhIl0'],
      ['/email', 'email=nobody'],
    ])('400: points at %s of %s', async (pointer, query) => {
      const refused = await billing.send('GET', `${path}?${query}`, { token });
      expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ pointer }] } });
    });
  });

  describe(`GET ${path}/{account_id}`, () => {
    it('finds an account by its id', async () => {
      const [account_id = ''] = newestFirst;
      expect(await find(account_id)).toMatchObject({ status: 200, body: { account_id } });
    });

    it.each([randomUUID(), 'nobody@example.com', 'nobody', '%27%20or%201=1'])('404: finds no %s', async (name) => {
      expect(await find(name)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    });
  });
});

describe('public paths', () => {
  const billing = useBilling();

  it('F161 /readyz names no part to strangers', async () => {
    expect(await billing.send('GET', '/readyz?verbose')).toMatchObject({ status: 200 });
    expect((await billing.send('GET', '/readyz?verbose')).body).toEqual({ status: 'ok' });
  });

  it('/openapi.json has the version of the service', async () => {
    const { body } = await billing.send('GET', '/openapi.json');
    expect(body).toMatchObject({ openapi: '3.1.0', info: { title: 'Tollgate', version: '0.1.0' } });
  });
});
