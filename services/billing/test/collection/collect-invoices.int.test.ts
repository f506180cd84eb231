import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Invoice, InvoiceList } from '@tollgate/contracts/money/invoices';
import { eventually } from '@tollgate/testkit/eventually';
import { putRollup, putWatermark } from '../support/put-rollup.ts';
import { setUpCard } from '../support/set-up-card.ts';
import { operatorToken, useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();
let bob: TestAccount; // has no payment method to begin with
let carol: TestAccount; // never has one

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

interface Attempts {
  readonly attempts: readonly Record<string, unknown>[];
  readonly total: number;
}

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

describe('an invoice', () => {
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
