import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Invoice, InvoiceList } from '@tollgate/contracts/invoices';
import type { Problem } from '@tollgate/contracts/problem';
import { eventually } from '@tollgate/testkit/eventually';
import { putRollup, putWatermark } from '../support/put-rollup.ts';
import { setUpCard } from '../support/set-up-card.ts';
import { operatorToken, useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();
let bob: TestAccount;
let paidId: string;

beforeAll(async () => {
  const ada = await billing.newAccount();
  bob = await billing.newAccount();
  const model = { type: 'per_unit', unit_price_usd: '0.01' };
  const price = { currency: 'usd', charges: [{ metric: { type: 'calls' }, model }] };
  await billing.send('POST', '/v1/tools', { ...ada, body: { slug: 'search', name: 'Search', price } });
  await putRollup(billing.owner, {
    consumerId: bob.accountId,
    tool: 'search',
    hour: '2026-10-05T00:00:00Z',
    calls: 2_500,
  });
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

const refund = (body: object, { id = paidId, headers = {} }: { id?: string; headers?: Record<string, string> } = {}) =>
  billing.send<Record<string, unknown> & Problem>('POST', `/v1/operator/invoices/${id}/refunds`, {
    token: operatorToken,
    body,
    headers,
  });

describe('the operator', () => {
  it('refunds a part, which the consumer sees on the invoice, and lists it', async () => {
    const refunded = await refund({ amount_usd: 10.1 });
    expect(refunded).toMatchObject({
      status: 201,
      body: { invoice_id: paidId, amount_usd: 10.1, cause: 'operator', status: 'succeeded', failure_code: null },
    });
    expect(await invoice()).toMatchObject({ status: 'paid', total_usd: 25, refunded_usd: 10.1 });
    const { body } = await billing.send('GET', `/v1/operator/invoices/${paidId}/refunds`, { token: operatorToken });
    expect(body).toEqual({ refunds: [refunded.body], total: 1 });
  });

  it('refunds once with an Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'ticket 4711' };
    const [first, again] = [await refund({ amount_usd: 1 }, { headers }), await refund({ amount_usd: 1 }, { headers })];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await invoice()).toMatchObject({ refunded_usd: 11.1 });
    expect(await refund({ amount_usd: 2 }, { headers })).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
  });

  it('cannot give back more than there is left, and is told how much that is', async () => {
    expect(await refund({ amount_usd: 13.91 })).toMatchObject({
      status: 422,
      body: {
        code: 'refund_too_large',
        detail: expect.stringContaining('13.9 USD'),
        errors: [{ pointer: '/amount_usd', code: 'too_large' }],
      },
    });
  });

  it.each([[0], [-1], [0.001], ['5'], [null], [1e13]])('is refused %j', async (amount) => {
    expect(await refund({ amount_usd: amount })).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  it('finds no invoice that is not there', async () => {
    expect(await refund({ amount_usd: 1 }, { id: randomUUID() })).toMatchObject({ status: 404 });
    const list = await billing.send('GET', `/v1/operator/invoices/${randomUUID()}/refunds`, { token: operatorToken });
    expect(list.status).toBe(404);
  });

  it('reconciles the period over HTTP', async () => {
    const path = '/v1/operator/reconcile?period=2026-10';
    const { status, body } = await billing.send<{ steps: { name: string }[] }>('GET', path, { token: operatorToken });
    expect(status).toBe(200);
    expect(body).toMatchObject({ period: '2026-10', account_id: null, equal: true });
    expect(body.steps).toMatchObject([
      { name: 'events_rollups', equal: true, note: expect.stringContaining('2500 calls') }, // there are no events here
      { name: 'rollups_lines', left: { count: 1, sum: '25' }, right: { count: 1, sum: '25' } },
      { name: 'lines_ledger', equal: true },
      { name: 'ledger_processor', left: { count: 3, sum: '13.9' }, right: { count: 3, sum: '13.9' } },
    ]);
    const wrong = await billing.send('GET', '/v1/operator/reconcile?period=October', { token: operatorToken });
    expect(wrong.status).toBe(400);
    const missing = await billing.send('GET', '/v1/operator/reconcile', { token: operatorToken });
    expect(missing.status).toBe(400);
  });
});
