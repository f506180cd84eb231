import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Invoice, InvoiceList, UpcomingInvoice } from '@tollgate/contracts/money/invoices';
import { eventually } from '@tollgate/testkit/eventually';
import { putRollup, putWatermark } from '../support/put-rollup.ts';
import { type TestAccount, operatorToken as token, startOfTests, useBilling } from '../support/start-billing.ts';
import { extractText } from 'unpdf';

let carol: TestAccount; // in October, below the minimum
let dave: TestAccount; // never

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
let invoice: Invoice;

const settings = {
  INVOICE_ISSUER_NAME: 'Bazaar of Tools GmbH',
  INVOICE_ISSUER_ADDRESS: 'Marktplatz 1; 10117 Berlin',
  INVOICE_ISSUER_COUNTRY: 'DE',
  INVOICE_ISSUER_TAX_ID: 'DE123456789',
  INVOICE_TAX_NOTE: 'Reverse charge: the recipient owes the tax.',
};
const path = '/v1/billing/details';

const details = {
  name: 'Ada Analytics Ltd',
  address: ['12 Engine Street', 'London W1U 8ED'],
  country: 'GB',
  tax_id: 'GB987654321',
};
const tool = 'web-search';
const accountIds = [randomUUID(), randomUUID()];

describe('get invoices', () => {
  const billing = useBilling();
  let ada: TestAccount; // owns search
  let bob: TestAccount; // calls it in September, October and November

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
});

describe('get invoice pdf', () => {
  const billing = useBilling();
  let bob: TestAccount;
  let ada: TestAccount; // owns the tool

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

  describe('an invoice that the notifier mails', () => {
    const order = (id: string, mailId = randomUUID()) =>
      billing.owner.query(
        `insert into notify.mail (mail_id, account_id, type, data, happened_at, stored_at, due_at)
         values ($1, $2, 'invoice.issued', jsonb_build_object('id', $3::uuid), now(), now(), now())`,
        [mailId, bob.accountId, id],
      );
    const prints = () =>
      billing.owner.query<{ invoice_id: string; pdf: Buffer | null }>(
        'select invoice_id, pdf from billing.mailed_print_v1',
      );

    it('is printed for it, until the mail is sent; one that cannot be printed holds up no other', async () => {
      const unknown = randomUUID();
      await order(unknown);
      await order(invoice.id);
      await eventually(async () => (await prints()).length === 2, { withinMs: 20_000 });
      const printed = new Map((await prints()).map(({ invoice_id: id, pdf }) => [id, pdf]));
      expect(printed.get(unknown)).toBeNull();
      expect(Buffer.from(printed.get(invoice.id) ?? []).equals(Buffer.from((await pdfOf(invoice.id, bob)).bytes))).toBe(
        true,
      );
      await billing.owner.query('delete from notify.mail');
      await eventually(async () => (await prints()).length === 0, { withinMs: 10_000 });
    });
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
});

describe('billing details', () => {
  const billing = useBilling({ settings });
  let ada: TestAccount;
  let bob: TestAccount;

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
});

// When a period is closable is tested in period-status.test.ts.
describe('GET /v1/operator/periods/{period}', () => {
  const billing = useBilling();
  const status = (period: string) => billing.send('GET', `/v1/operator/periods/${period}`, { token });

  it('200: is not closable before anything was counted, and from the moment that its end is final', async () => {
    expect((await status('2026-11')).body).toEqual({
      period: '2026-11',
      starts_at: '2026-11-01T00:00:00.000Z',
      ends_at: '2026-12-01T00:00:00.000Z',
      counted_through: '1970-01-01T00:00:00.000Z',
      final_through: '1970-01-01T00:00:00.000Z',
      closable_at: '2026-12-02T00:00:00.000Z',
      closable: false,
    });
    await putWatermark(billing.owner, '2026-12-02T00:00:00Z');
    const final = { closable: true, final_through: '2026-12-01T00:00:00.000Z' };
    expect((await status('2026-11')).body).toMatchObject(final);
  });

  it.each(['2026-13', '2026', 'now', '0026-11', '2026-11-01'])('404: knows no period %s', async (period) => {
    expect(await status(period)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

describe('GET /v1/operator/unclosed-consumers', () => {
  const billing = useBilling();

  // How a consumer gets here is tested in close-failures.int.test.ts.
  beforeAll(async () => {
    for (const [index, accountId] of accountIds.entries())
      await billing.owner.query(
        `insert into billing.unclosed_consumer (consumer_id, period, reason, set_aside_at, retry_at)
       values ($1, '2026-10', 'statement timeout', $2, '2031-01-01Z')`,
        [accountId, `2026-11-0${index + 2}T00:00:00Z`],
      );
  });

  it('200: lists them in pages, the last that was set aside first', async () => {
    const list = (query: string) =>
      billing.send<{ next_cursor: string | null }>('GET', `/v1/operator/unclosed-consumers?limit=1${query}`, { token });
    const first = await list('');
    expect(first).toMatchObject({
      status: 200,
      body: {
        total: 2,
        consumers: [
          {
            account_id: accountIds[1],
            period: '2026-10',
            reason: 'statement timeout',
            failures: 1,
            set_aside_at: '2026-11-03T00:00:00.000Z',
            retry_at: '2031-01-01T00:00:00.000Z',
          },
        ],
      },
    });
    const second = await list(`&cursor=${first.body.next_cursor}`);
    expect(second.body).toMatchObject({ consumers: [{ account_id: accountIds[0] }], has_more: false });
  });
});
