import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CreditNoteList } from '@tollgate/contracts/money/credit-notes';
import type { Invoice, InvoiceList } from '@tollgate/contracts/money/invoices';
import type { Problem } from '@tollgate/contracts/forms/problem';
import type { Reconciliation } from '@tollgate/contracts/operator/reconciliation';
import { eventually } from '@tollgate/testkit/eventually';
import { extractText } from 'unpdf';
import { putRollup, putWatermark } from '../support/put-rollup.ts';
import { setUpCard } from '../support/set-up-card.ts';
import { operatorToken, useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();
let bob: TestAccount;
let paidId: string;

beforeAll(async () => {
  const ada = await billing.newAccount();
  bob = await billing.newAccount();
  const tool = { slug: 'search', name: 'Search', price: { per_call_usd: '0.01' } };
  await billing.send('POST', '/v1/tools', { ...ada, body: tool });
  const usage = { consumerId: bob.accountId, tool: 'search', hour: '2026-10-05T00:00:00Z', calls: 2_500 };
  await putRollup(billing.owner, usage);
  await putWatermark(billing.owner, '2026-11-02T00:00:00Z');
  await setUpCard(billing, bob, 'visa');
  await billing.closeDuePeriods();
  await eventually(async () => (await invoice()).status === 'paid', { withinMs: 20_000 });
  paidId = (await invoice()).id;
});

async function invoice(): Promise<Invoice> {
  const { body } = await billing.send<InvoiceList>('GET', '/v1/billing/invoices', { token: bob.token });
  const [first] = body.invoices;
  if (!first) throw new Error('there is no invoice');
  return first;
}

const refund = (amount: unknown, headers: Record<string, string> = {}) =>
  billing.send<Record<string, unknown> & Problem>('POST', `/v1/operator/invoices/${paidId}/refunds`, {
    token: operatorToken,
    body: { amount_usd: amount },
    headers,
  });

describe('POST and GET /v1/operator/invoices/{invoice_id}/refunds', () => {
  it('give parts of an invoice back, each key once, as the consumer sees, and list them', async () => {
    const first = await refund(10.1);
    const order = { invoice_id: paidId, amount_usd: 10.1, cause: 'operator', status: 'succeeded', failure_code: null };
    expect(first).toMatchObject({ status: 201, body: order });
    expect(await invoice()).toMatchObject({ status: 'paid', total_usd: 25, refunded_usd: 10.1 });

    const headers = { 'Idempotency-Key': 'ticket 4711' };
    const [second, again] = [await refund(1, headers), await refund(1, headers)];
    expect(again.body).toEqual(second.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await invoice()).toMatchObject({ refunded_usd: 11.1 });

    const path = `/v1/operator/invoices/${paidId}/refunds`;
    const { body } = await billing.send('GET', path, { token: operatorToken });
    expect(body).toEqual({ refunds: expect.arrayContaining([first.body, second.body]), total: 2 });
  });

  it('422: say how much is left to give back', async () => {
    const errors = [{ pointer: '/amount_usd', code: 'too_large' }];
    const detail = expect.stringContaining('13.9 USD');
    expect(await refund(13.91)).toMatchObject({ status: 422, body: { code: 'refund_too_large', detail, errors } });
  });

  it('give back by line, and say which', async () => {
    const order = { amount_usd: 2, lines: [{ tool_id: 'search' }] };
    const ordered = await billing.send('POST', `/v1/operator/invoices/${paidId}/refunds`, {
      token: operatorToken,
      body: order,
    });
    const part = { builder_id: null, lines: [{ tool_id: 'search', price_id: null, charge: null }] };
    expect(ordered).toMatchObject({ status: 201, body: { amount_usd: 2, part, is_of_stray_money: false } });
  });

  it.each([[0], [-1], [0.001], ['5'], [1e13]])('400: refuse %j', async (amount) => {
    expect(await refund(amount)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });
});

describe('F172 GET /v1/billing/credit-notes', () => {
  const list = (query = '', who = bob) =>
    billing.send<CreditNoteList>('GET', `/v1/billing/credit-notes${query}`, { token: who.token });
  const pdf = (path: string) => billing.send('GET', path, { token: bob.token });

  it('number the refunds without gaps, and tell of each its invoice and what it credits by tool', async () => {
    const { body } = await list();
    expect(body).toMatchObject({ total: 3, has_more: false });
    expect(body.credit_notes.map(({ number, amount_usd: amount }) => [number, amount])).toEqual([
      [3, 2],
      [2, 1],
      [1, 10.1],
    ]);
    const [newest] = body.credit_notes;
    const path = `/v1/billing/credit-notes/${newest?.id}`;
    const note = { invoice_id: paidId, period: '2026-10', cause: 'operator' };
    const lines = [{ tool_id: 'search', amount_usd: 2 }];
    expect(await billing.send('GET', path, { token: bob.token })).toMatchObject({
      status: 200,
      body: { ...note, lines },
    });
  });

  it('are paged, and filtered by invoice', async () => {
    const first = await list('?limit=2');
    expect(first.body).toMatchObject({ credit_notes: [{ number: 3 }, { number: 2 }], has_more: true });
    const next = await list(`?limit=2&cursor=${first.body.next_cursor}`);
    expect(next.body).toMatchObject({ credit_notes: [{ number: 1 }], has_more: false });
    expect((await list(`?invoice_id=${bob.accountId}`)).body.total).toBe(0);
  });

  it('are of nobody else', async () => {
    const [newest] = (await list()).body.credit_notes;
    const eve = await billing.newAccount();
    expect((await list('', eve)).body.total).toBe(0);
    for (const path of [`/v1/billing/credit-notes/${newest?.id}`, `/v1/billing/credit-notes/${newest?.id}.pdf`])
      expect(await billing.send('GET', path, { token: eve.token })).toMatchObject({ status: 404 });
  });

  it('are printed with their number, and leave the print of the invoice as it was', async () => {
    const before = await pdf(`/v1/billing/invoices/${paidId}.pdf`);
    const ordered = await refund(0.5);
    const answer = await pdf(`/v1/billing/credit-notes/${String(ordered.body['id'])}.pdf`);
    expect(answer.headers.get('content-disposition')).toContain('tollgate-credit-note-4.pdf');
    const { text } = await extractText(answer.bytes.slice(), { mergePages: true });
    for (const shown of ['Credit note 4', 'Invoice 1', 'USD 0.50', 'Search']) expect(text).toContain(shown);
    const after = await pdf(`/v1/billing/invoices/${paidId}.pdf`);
    expect(Buffer.compare(before.bytes, after.bytes)).toBe(0);
  }, 60_000);
});

describe('GET /v1/operator/stray-money and POST its refund', () => {
  it('list nothing where nothing is stray, also as a table, and 404 for an order without stray money', async () => {
    const list = (query = '') => billing.send('GET', `/v1/operator/stray-money${query}`, { token: operatorToken });
    expect(await list()).toMatchObject({ status: 200, body: { stray_money: [], total: 0, left_usd: 0 } });
    expect(await list('?format=csv')).toMatchObject({ status: 200 });
    const path = `/v1/operator/stray-money/${paidId}/refund`;
    expect(await billing.send('POST', path, { token: operatorToken })).toMatchObject({ status: 404 });
  });
});

describe('GET /v1/operator/reconcile', () => {
  const reconcile = (query: string) => billing.send('GET', `/v1/operator/reconcile${query}`, { token: operatorToken });

  it('compares a period from its events to the processor', async () => {
    const { status, body } = await reconcile('?period=2026-10');
    expect(status).toBe(200);
    expect(body).toMatchObject({ period: '2026-10', account_id: null, equal: true });
    const steps = new Map((body as Reconciliation).steps.map((step) => [step.name, step]));
    expect([...steps.values()].filter(({ equal }) => !equal)).toEqual([]);
    expect(steps.get('events_rollups')?.note).toContain('2500 calls'); // there are no events here
    for (const side of ['left', 'right'] as const) {
      expect(steps.get('rollups_lines')?.[side]).toMatchObject({ count: 1, sum: '25' });
      expect(steps.get('ledger_processor')?.[side]).toMatchObject({ count: 5, sum: '10.37' }); // 1.03 of fee
      expect(steps.get('own_payouts')?.[side]).toMatchObject({ count: 0, sum: '0' });
      expect(steps.get('cash_balance')?.[side]).toMatchObject({ sum: '10.37' });
    }
  });

  it.each(['?period=October', ''])('400: wants a month, not %j', async (query) => {
    expect(await reconcile(query)).toMatchObject({ status: 400 });
  });
});
