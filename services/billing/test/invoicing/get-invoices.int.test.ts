import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Invoice, InvoiceList, UpcomingInvoice } from '@tollgate/contracts/money/invoices';
import { putRollup, putWatermark } from '../support/put-rollup.ts';
import { startOfTests, useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();
let ada: TestAccount; // owns search
let bob: TestAccount; // calls it in September, October and November
let carol: TestAccount; // in October, below the minimum
let dave: TestAccount; // never

beforeAll(async () => {
  [ada, bob, carol, dave] = [
    await billing.newAccount(),
    await billing.newAccount(),
    await billing.newAccount(),
    await billing.newAccount(),
  ];
  const perUnit = (unitPriceUsd: string) => ({ type: 'per_unit', unit_price_usd: unitPriceUsd });
  const tokens = { type: 'metadata_sum', key: 'tokens' };
  const charges = [
    { name: 'per call', metric: { type: 'calls' }, model: perUnit('0.0025') },
    { metric: tokens, model: perUnit('0.000001'), free_quantity: '100' },
  ];
  await billing.newTool(ada, { slug: 'search', price: { currency: 'usd', charges } });
  const bobs = { consumerId: bob.accountId, tool: 'search' };
  for (const usage of [
    { ...bobs, hour: '2026-09-30T23:00:00Z', calls: 201, measures: { tokens: '100.5' } },
    { ...bobs, hour: '2026-10-01T00:00:00Z', calls: 1_001 },
    { ...bobs, hour: '2026-11-01T00:00:00Z', calls: 3 },
    { ...bobs, consumerId: carol.accountId, hour: '2026-10-05T00:00:00Z', calls: 4 },
  ])
    await putRollup(billing.owner, usage);
  await putWatermark(billing.owner, '2026-10-02T00:00:00Z');
  await billing.closeDuePeriods();
});

const list = ({ token }: TestAccount, query = '') =>
  billing.send<InvoiceList>('GET', `/v1/billing/invoices${query}`, { token });
const upcoming = ({ token }: TestAccount, query = '') =>
  billing.send<UpcomingInvoice>('GET', `/v1/billing/invoices/upcoming${query}`, { token });
const find = ({ token }: TestAccount, id: string) =>
  billing.send<Invoice>('GET', `/v1/billing/invoices/${id}`, { token });

const noLines = { lines: [], line_count: 0, lines_truncated: false };
const nothing = {
  charge_usd: 0,
  carried_in_usd: 0,
  total_usd: 0,
  carried_out_usd: 0,
  refunded_usd: 0,
  balance_paid_usd: 0,
  balance_parts: [],
  card_paid_usd: 0,
  ...noLines,
};
const never = { issued_at: null, due_at: null, paid_at: null, held_for: null };
const notYet = { id: null, number: null, status: 'draft', currency: 'usd', ...never };
const notFound = { status: 404, body: { code: 'not_found' } };

describe('GET /v1/billing/invoices/upcoming: 200', () => {
  it('shows the current month as it would be billed, after the month before it that is still open', async () => {
    const { body } = await upcoming(bob);
    // September carried 0.0025 USD into October, and October would carry 0.005 on.
    const money = { charge_usd: 0.0075, carried_in_usd: 0.005, total_usd: 0 };
    expect(body).toMatchObject({ ...notYet, period: '2026-11', ...money });
    expect(body.lines).toMatchObject([{ tool_id: 'search', quantity: '3', adjustment_of: null }]);
  });

  it('shows the month that ended as a draft until it is closed', async () => {
    const { body } = await upcoming(bob, '?period=2026-10');
    const money = { charge_usd: 2.5025, carried_in_usd: 0.0025, total_usd: 2.5 };
    expect(body).toMatchObject({ ...notYet, period: '2026-10', ...money });
  });

  it('shows a closed month as its invoice', async () => {
    const { body } = await upcoming(bob, '?period=2026-09');
    expect(body).toMatchObject({ status: 'open', number: 1, total_usd: 0.5 });
    expect(body).toEqual((await find(bob, body.id ?? '')).body);
  });

  it.each([[''], ['?period=2026-10'], ['?period=2031-01'], ['?period=2999-12']])(
    'is all zeros without usage%s',
    async (query) => {
      const period = query === '' ? '2026-11' : query.slice(-7);
      expect((await upcoming(dave, query)).body).toEqual({ ...notYet, period, ...nothing });
    },
  );
});

describe('GET /v1/billing/invoices/upcoming: refusals', () => {
  it('404: the month is closed, and had nothing to bill', async () => {
    expect(await upcoming(dave, '?period=2026-09')).toMatchObject(notFound);
  });

  it.each(['2026-13', '2026-00', '26-01', '2026-1', '2026', '1999-12', '2026-11-01', ''])(
    '400: %p is no period',
    async (period) => {
      const refusal = { code: 'invalid_request', errors: [{ pointer: '/period' }] };
      expect(await upcoming(bob, `?period=${period}`)).toMatchObject({ status: 400, body: refusal });
    },
  );
});

describe('GET /v1/billing/invoices/{id}', () => {
  it('200: shows all of it, exactly', async () => {
    const { body } = await list(bob);
    const [invoice] = body.invoices;
    const answer = await find(bob, invoice?.id ?? '');
    const line = { tool_id: 'search', price_id: expect.any(String), adjustment_of: null };
    expect(answer.status).toBe(200);
    const { held_for: heldFor, ...shown } = answer.body;
    expect([null, 'payment_method']).toContain(heldFor); // the latter once the service's own round has come by
    expect(shown).toEqual({
      id: invoice?.id,
      number: 1,
      period: '2026-09',
      status: 'open',
      currency: 'usd',
      issued_at: startOfTests,
      due_at: '2026-12-05T12:34:56.789Z',
      paid_at: null,
      charge_usd: 0.5025,
      carried_in_usd: 0,
      total_usd: 0.5,
      carried_out_usd: 0.0025,
      refunded_usd: 0,
      balance_paid_usd: 0,
      balance_parts: [],
      card_paid_usd: 0,
      lines: [
        { ...line, charge: 0, name: 'per call', quantity: '201', unit: 'calls', charge_usd: 0.5025 },
        { ...line, charge: 1, name: null, quantity: '100.5', unit: 'tokens', charge_usd: 0 },
      ],
      line_count: 2,
      lines_truncated: false,
    });
  });

  it("404: another account's, and what is none", async () => {
    const [invoice] = (await list(bob)).body.invoices;
    for (const account of [ada, carol, dave]) expect(await find(account, invoice?.id ?? '')).toMatchObject(notFound);
    for (const id of [randomUUID(), 'none', randomUUID().toUpperCase()])
      expect(await find(bob, id)).toMatchObject(notFound);
  });
});

describe('GET /v1/billing/invoices', () => {
  it('200: pages through the own ones, newest first', async () => {
    billing.clock.advance(1_000);
    await putWatermark(billing.owner, '2026-11-02T00:00:00Z');
    await billing.closeDuePeriods();
    const first = await list(bob, '?limit=1');
    expect(first.body).toMatchObject({ total: 2, has_more: true, invoices: [{ period: '2026-10', total_usd: 2.5 }] });
    const second = await list(bob, `?limit=1&cursor=${first.body.next_cursor}`);
    const end = { total: 2, has_more: false, next_cursor: null };
    expect(second.body).toMatchObject({ ...end, invoices: [{ period: '2026-09' }] });
    expect(second.body.invoices[0]?.lines).toHaveLength(2);
  });

  it('200: filters by status and by period', async () => {
    const periods = async (query: string) => (await list(bob, query)).body.invoices.map(({ period }) => period);
    expect(await periods('?status=open')).toEqual(['2026-10', '2026-09']);
    expect((await list(bob, '?status=paid')).body).toMatchObject({ invoices: [], total: 0 });
    expect(await periods('?period=2026-09')).toEqual(['2026-09']);
    expect((await list(bob, '?period=2026-09&status=open')).body).toMatchObject({ total: 1, has_more: false });
    const first = await list(bob, '?status=open&limit=1');
    expect(await periods(`?status=open&limit=1&cursor=${first.body.next_cursor}`)).toEqual(['2026-09']);
    expect(await list(bob, '?status=draft')).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  it('200: one that bills nothing is carried, and was never paid', async () => {
    const { body } = await list(carol);
    const invoice = { status: 'carried', paid_at: null, total_usd: 0, charge_usd: 0.01, carried_out_usd: 0.01 };
    expect(body).toMatchObject({ total: 1, invoices: [invoice] });
    expect((await list(carol, '?status=carried')).body).toEqual(body);
    expect((await list(carol, '?status=paid')).body).toMatchObject({ invoices: [], total: 0 });
  });

  it('200: is empty for who never called, and shows a builder none of its consumers', async () => {
    for (const account of [dave, ada])
      expect((await list(account)).body).toEqual({ invoices: [], total: 0, has_more: false, next_cursor: null });
  });

  it("200: another account's cursor shows nothing of it", async () => {
    const { body } = await list(bob, '?limit=1');
    expect((await list(carol, `?cursor=${body.next_cursor}`)).text).not.toContain(body.invoices[0]?.id);
  });

  it('400: a cursor that was not given out', async () => {
    expect(await list(bob, '?cursor=abc')).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });
});
