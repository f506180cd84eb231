import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Invoice, InvoiceList } from '@tollgate/contracts/money/invoices';
import { extractText } from 'unpdf';
import { putRollup, putWatermark } from '../support/put-rollup.ts';
import { useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();
let bob: TestAccount;
let ada: TestAccount; // owns the tool
let invoice: Invoice;

const pdfOf = (id: string, account: TestAccount, method = 'GET') =>
  billing.send(method, `/v1/billing/invoices/${id}.pdf`, { token: account.token });

beforeAll(async () => {
  [ada, bob] = [await billing.newAccount(), await billing.newAccount()];
  const perUnit = (unitPriceUsd: string) => ({ type: 'per_unit', unit_price_usd: unitPriceUsd });
  const charges = [
    { name: 'за вызов / ανά κλήση', metric: { type: 'calls' }, model: perUnit('0.0025') },
    { metric: { type: 'metadata_sum', key: 'tokens' }, model: perUnit('0.000001') },
  ];
  const tool = await billing.newTool(ada, { slug: 'search', price: { currency: 'usd', charges } });
  const counts = { calls: 1_201, measures: { tokens: '100.5' } };
  await putRollup(billing.owner, { consumerId: bob.accountId, tool, hour: '2026-09-30T23:00:00Z', ...counts });
  await putWatermark(billing.owner, '2026-10-02T00:00:00Z');
  await billing.closeDuePeriods();
  const { body } = await billing.send<InvoiceList>('GET', '/v1/billing/invoices', { token: bob.token });
  [invoice] = body.invoices as [Invoice];
});

describe('GET /v1/billing/invoices/{id}.pdf: 200', () => {
  it('says what the invoice says', async () => {
    const { bytes, headers, status } = await pdfOf(invoice.id, bob);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-disposition')).toBe('inline; filename="tollgate-invoice-1.pdf"');
    expect(headers.get('content-length')).toBe(String(bytes.length));
    const { text, totalPages } = await extractText(bytes.slice(), { mergePages: true });
    expect(totalPages).toBe(1);
    const [account] = await billing.owner.query<{ email: string }>(
      'select email from auth.account where account_id = $1',
      [bob.accountId],
    );
    const heads = ['Invoice 1', 'Open', 'USD 3.00', 'Due on 5 December 2026', 'September 2026', '21 November 2026'];
    const lines = ['search за вызов / ανά κλήση 1,201 calls 3.0025', 'search Charge 2 100.5 tokens 0.0001'];
    const carried = ['Carried in from earlier invoices 0.0000', 'Carried out to the next invoice −0.0026'];
    const sums = ['Charges 3.0026', ...carried, 'Total USD 3.00'];
    const whose = [bob.accountId, account?.email, invoice.id, 'Page 1 of 1'];
    for (const said of [...heads, ...lines, ...sums, ...whose]) expect(text).toContain(said);
  });

  it('gives the same bytes again, and to HEAD their number', async () => {
    const first = await pdfOf(invoice.id, bob);
    const second = await pdfOf(invoice.id, bob);
    expect(Buffer.compare(first.bytes, second.bytes)).toBe(0);
    const head = await pdfOf(invoice.id, bob, 'HEAD');
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers.get('content-length')).toBe(String(first.bytes.length));
  });
});

describe('GET /v1/billing/invoices/{id}.pdf: 404', () => {
  it("another account's, the builder's view, and what is none", async () => {
    const notFound = { status: 404, body: { code: 'not_found' } };
    expect(await pdfOf(invoice.id, ada)).toMatchObject(notFound);
    for (const id of [randomUUID(), 'none', invoice.id.toUpperCase(), `${invoice.id}.pdf`, 'upcoming', '', '%2e'])
      expect(await pdfOf(id, bob)).toMatchObject(notFound);
  });
});
