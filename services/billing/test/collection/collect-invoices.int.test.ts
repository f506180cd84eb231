import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Invoice, InvoiceList, InvoiceSummaryList, UpcomingInvoice } from '@tollgate/contracts/money/invoices';
import { eventually } from '@tollgate/testkit/eventually';
import { putRollup, putWatermark } from '../support/put-rollup.ts';
import { setUpCard } from '../support/set-up-card.ts';
import { type TestAccount, operatorToken, operatorToken as token, useBilling } from '../support/start-billing.ts';

let carol: TestAccount; // never has one

interface Attempts {
  readonly attempts: readonly Record<string, unknown>[];
  readonly total: number;
}

describe('an invoice', () => {
  const billing = useBilling();
  let bob: TestAccount; // has no payment method to begin with

  beforeAll(async () => {
    const ada = await billing.newAccount();
    [bob, carol] = [await billing.newAccount(), await billing.newAccount()];
    const tool = { slug: 'search', name: 'Search', price: { per_call_usd: '0.01' } };
    await billing.send('POST', '/v1/tools', { ...ada, body: tool });
    for (const { accountId: consumerId } of [bob, carol])
      await putRollup(billing.owner, { consumerId, tool: 'search', hour: '2026-10-05T00:00:00Z', calls: 250 });
    await putWatermark(billing.owner, '2026-11-02T00:00:00Z');
    await billing.closeDuePeriods();
  });

  async function invoiceOf({ token }: TestAccount): Promise<Invoice> {
    const { body } = await billing.send<InvoiceList>('GET', '/v1/billing/invoices', { token });
    const [invoice] = body.invoices;
    if (!invoice) throw new Error('there is no invoice');
    return invoice;
  }

  const voidInvoice = (id: string) =>
    billing.send<Invoice & { code?: string }>('POST', `/v1/operator/invoices/${id}/void`, { token: operatorToken });
  const attemptsOf = (id: string) =>
    billing.send<Attempts>('GET', `/v1/operator/invoices/${id}/attempts`, { token: operatorToken });

  it('is declined, then paid as soon as the consumer sets up another card', async () => {
    expect(await invoiceOf(bob)).toMatchObject({ status: 'open', total_usd: 2.5, paid_at: null });
    await setUpCard(billing, bob, 'declined');
    const { id } = await invoiceOf(bob);
    const isDeclined = async () => (await attemptsOf(id)).body.attempts[0]?.['status'] === 'failed';
    await eventually(isDeclined, { withinMs: 10_000 });
    expect(await invoiceOf(bob)).toMatchObject({ status: 'open', paid_at: null });
    await setUpCard(billing, bob, 'visa');
    await eventually(async () => (await invoiceOf(bob)).status === 'paid', { withinMs: 10_000 });
    expect((await invoiceOf(bob)).paid_at).toMatch(/^2026-11-21T12:3/); // the clock of this test ticks
    expect((await attemptsOf(id)).body).toMatchObject({
      total: 2,
      attempts: [
        { number: 1, amount_usd: 2.5, status: 'failed', failure_code: 'declined' },
        { number: 2, amount_usd: 2.5, status: 'succeeded', failure_code: null },
      ],
    });
  });

  it('is voided by the operator, also when asked twice', async () => {
    const { id } = await invoiceOf(carol);
    for (const _time of [1, 2]) {
      expect(await voidInvoice(id)).toMatchObject({ status: 200, body: { id, status: 'void', paid_at: null } });
      expect(await invoiceOf(carol)).toMatchObject({ status: 'void' });
    }
    expect((await attemptsOf(id)).body).toEqual({ attempts: [], total: 0 });
  });

  it('is not voided once it is paid', async () => {
    const { id } = await invoiceOf(bob);
    expect(await voidInvoice(id)).toMatchObject({ status: 409, body: { code: 'invoice_paid' } });
    expect(await invoiceOf(bob)).toMatchObject({ status: 'paid' });
  });
});

describe('POST /v1/operator/invoices/{invoice_id}/confirm', () => {
  const billing = useBilling({ hasSandboxClock: true, settings: { INVOICE_COLLECT_MAX_USD: '10' } });
  let bob: TestAccount; // owes 10.01 USD

  beforeAll(async () => {
    const ada = await billing.newAccount();
    bob = await billing.newAccount();
    await billing.newTool(ada, { slug: 'search' });
    await setUpCard(billing, bob, 'visa');
    await putRollup(billing.owner, {
      consumerId: bob.accountId,
      tool: 'search',
      hour: '2026-11-05T10:00:00Z',
      calls: 1_001,
    });
    await reach('2026-12-03T00:00:00Z');
  });

  async function reach(time: string): Promise<void> {
    await putWatermark(billing.owner, time);
    await billing.send('POST', '/v1/sandbox/clock', { token, body: { now: time, frozen: true } });
  }

  const held = () => billing.send<InvoiceSummaryList>('GET', '/v1/operator/invoices?held=true', { token });
  const confirm = (id: string) => billing.send<Invoice>('POST', `/v1/operator/invoices/${id}/confirm`, { token });

  it('200: lets an invoice be charged that said why it waits, and answers a repeat alike', async () => {
    const { body: list } = await billing.send<InvoiceList>('GET', '/v1/billing/invoices', bob);
    expect(list.invoices).toMatchObject([{ status: 'open', total_usd: 10.01, held_for: 'confirmation' }]);
    const upcoming = '/v1/billing/invoices/upcoming?period=2026-11';
    expect((await billing.send<UpcomingInvoice>('GET', upcoming, bob)).body).toMatchObject({
      held_for: 'confirmation',
    });
    const { invoices, total } = (await held()).body;
    expect(invoices).toMatchObject([{ account_id: bob.accountId, held_for: 'confirmation' }]);
    expect(total).toBe(1);
    const id = invoices[0]?.id ?? '';
    expect(await confirm(id)).toMatchObject({ status: 200, body: { status: 'open', held_for: null } });
    expect((await confirm(id)).status).toBe(200);
    await reach('2026-12-03T00:01:00Z');
    const { body } = await billing.send<Invoice>('GET', `/v1/billing/invoices/${id}`, bob);
    expect(body).toMatchObject({ status: 'paid', held_for: null });
    expect((await held()).body.total).toBe(0);
  });

  it('404 and 409: for an unknown invoice, and for one that does not wait', async () => {
    expect(await confirm(bob.accountId)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const { accountId: consumerId } = await billing.newAccount();
    await putRollup(billing.owner, { consumerId, tool: 'search', hour: '2026-12-05T10:00:00Z', calls: 100 });
    await reach('2027-01-03T00:00:00Z');
    const { body } = await billing.send<InvoiceSummaryList>('GET', `/v1/operator/invoices?account_id=${consumerId}`, {
      token,
    });
    expect(await confirm(body.invoices[0]?.id ?? '')).toMatchObject({
      status: 409,
      body: { code: 'invoice_not_held' },
    });
  });

  it('422: never lets an invoice be charged that would need more than a hundred charges', async () => {
    const builder = await billing.newAccount();
    const tool = await billing.newTool(builder, { price: { per_call_usd: '10000' } });
    const dora = await billing.newAccount();
    const usage = { consumerId: dora.accountId, tool, hour: '2027-01-05T11:00:00Z', calls: 10_000 };
    await setUpCard(billing, dora, 'visa');
    await putRollup(billing.owner, usage);
    await reach('2027-02-03T00:00:00Z');
    const { body: list } = await billing.send<InvoiceList>('GET', '/v1/billing/invoices', dora);
    expect(list.invoices).toMatchObject([{ total_usd: 100_000_000, held_for: 'confirmation' }]);
    expect(await confirm(list.invoices[0]?.id ?? '')).toMatchObject({
      status: 422,
      body: { code: 'invoice_too_large', detail: expect.stringContaining('99999999.99 USD') },
    });
  });
});
