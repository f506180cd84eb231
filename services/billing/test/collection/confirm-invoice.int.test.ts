import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Invoice, InvoiceList, InvoiceSummaryList, UpcomingInvoice } from '@tollgate/contracts/money/invoices';
import { putRollup, putWatermark } from '../support/put-rollup.ts';
import { setUpCard } from '../support/set-up-card.ts';
import { operatorToken as token, useBilling, type TestAccount } from '../support/start-billing.ts';

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

describe('POST /v1/operator/invoices/{invoice_id}/confirm', () => {
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
