import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Invoice, InvoiceList } from '@tollgate/contracts/money/invoices';
import { extractText } from 'unpdf';
import { putRollup, putWatermark } from '../support/put-rollup.ts';
import { useBilling, type TestAccount } from '../support/start-billing.ts';

const settings = {
  INVOICE_ISSUER_NAME: 'Bazaar of Tools GmbH',
  INVOICE_ISSUER_ADDRESS: 'Marktplatz 1; 10117 Berlin',
  INVOICE_ISSUER_COUNTRY: 'DE',
  INVOICE_ISSUER_TAX_ID: 'DE123456789',
  INVOICE_TAX_NOTE: 'Reverse charge: the recipient owes the tax.',
};
const billing = useBilling({ settings });
const path = '/v1/billing/details';
const details = {
  name: 'Ada Analytics Ltd',
  address: ['12 Engine Street', 'London W1U 8ED'],
  country: 'GB',
  tax_id: 'GB987654321',
};
let ada: TestAccount;
let bob: TestAccount;
const tool = 'web-search';

beforeAll(async () => {
  [ada, bob] = [await billing.newAccount(), await billing.newAccount()];
  await billing.newTool(bob, { slug: tool });
});

describe('GET and PUT /v1/billing/details', () => {
  it('404 until they are set, then 200 with the last ones, for this account alone', async () => {
    expect(await billing.send('GET', path, ada)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const older = { ...details, tax_id: null, name: 'Ada' };
    expect(await billing.send('PUT', path, { ...ada, body: older })).toMatchObject({ status: 200, body: older });
    expect(await billing.send('PUT', path, { ...ada, body: details })).toMatchObject({ status: 200, body: details });
    expect(await billing.send('GET', path, ada)).toMatchObject({ status: 200, body: details });
    expect(await billing.send('GET', path, bob)).toMatchObject({ status: 404 });
    const acts = await billing.owner.query('select 1 from audit.act where action = $1 and account_id = $2', [
      'billing_details.changed',
      ada.accountId,
    ]);
    expect(acts).toHaveLength(2);
  });

  it.each<[object, string]>([
    [{ ...details, country: 'gb' }, 'country'],
    [{ ...details, address: [] }, 'address'],
    [{ ...details, name: '' }, 'name'],
    [{ ...details, vat: '1' }, 'vat'],
  ])('400 for %j', async (body, field) => {
    const { status, text } = await billing.send('PUT', path, { ...ada, body });
    expect(status).toBe(400);
    expect(text).toContain(field);
  });
});

describe('the print of an invoice', () => {
  it('shows both parties, the tool’s name and the reason for no tax as of its issue, whatever changes later', async () => {
    await billing.send('PATCH', `/v1/tools/${tool}`, { ...bob, body: { name: 'Web search' } });
    await billing.send('PUT', path, { ...ada, body: details });
    await putRollup(billing.owner, { consumerId: ada.accountId, tool, hour: '2026-09-30T23:00:00Z', calls: 100 });
    await putWatermark(billing.owner, '2026-10-02T00:00:00Z');
    await billing.closeDuePeriods();
    const { body } = await billing.send<InvoiceList>('GET', '/v1/billing/invoices', ada);
    const [{ id, number }] = body.invoices as [Invoice];
    const print = () => billing.send('GET', `/v1/billing/invoices/${id}.pdf`, ada);
    const first = await print();
    const { text } = await extractText(first.bytes.slice(), { mergePages: true });
    const issuer = ['Bazaar of Tools GmbH', 'Marktplatz 1', '10117 Berlin', 'DE', 'Tax number DE123456789'];
    const buyer = [details.name, ...details.address, 'GB', `Tax number ${details.tax_id}`, ada.accountId];
    const rest = ['Web search', tool, `TOLLGATE-${number}`, 'Tax 0.00', settings.INVOICE_TAX_NOTE];
    for (const said of [...issuer, ...buyer, ...rest]) expect(text).toContain(said);

    await billing.send('PUT', path, { ...ada, body: { ...details, name: 'Another' } });
    await billing.send('PATCH', `/v1/tools/${tool}`, { ...bob, body: { name: 'Another' } });
    expect(Buffer.compare(first.bytes, (await print()).bytes)).toBe(0);
  });
});
