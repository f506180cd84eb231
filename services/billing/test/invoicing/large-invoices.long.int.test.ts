import { encodeCursor } from '@tollgate/runtime/http/lists/cursor';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Invoice, InvoiceLineList, InvoiceList } from '@tollgate/contracts/money/invoices';
import { longestHoldMs } from '@tollgate/testkit/longest-hold';
import { extractText } from 'unpdf';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Database, createDatabase, onlyRow } from '@tollgate/database/database';
import { putLargeInvoice, putManyTools } from '../support/put-large-invoice.ts';
import { type TestAccount, useBilling } from '../support/start-billing.ts';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import { invoiceIdOf } from '../../src/invoicing/issue-invoice.ts';
import { type InvoicingFixture, createInvoicingFixture } from '../support/invoicing-fixture.ts';
import { putWatermark } from '../support/put-rollup.ts';
import { silentLog as log } from '../support/silent-log.ts';

let id: string;

const builder = '00000000-0000-4000-8000-00000000000b';
const ada = '10000000-0000-4000-8000-000000000000';
const refundId = '30000000-0000-4000-8000-000000000000';
const nowMs = Date.parse('2026-02-02T00:00:01Z');

describe('large invoices', () => {
  const billing = useBilling();
  let bob: TestAccount;

  const tools = 2_000;
  const lines = 160_000;
  const get = <Body = unknown>(path: string) =>
    billing.send<Body>('GET', `/v1/billing/invoices${path}`, { token: bob.token });
  const pdf = () => get(`/${id}.pdf`);

  /** The address is printed, so no kept print will do afterwards. */
  const repaint = () => billing.owner.query(`update auth.account set email = gen_random_uuid() || '@example.com'`);

  beforeAll(async () => {
    const [ada, consumer] = [await billing.newAccount(), await billing.newAccount()];
    bob = consumer;
    const whose = { consumerId: bob.accountId, builderId: ada.accountId, period: '2026-09' };
    const size = { tools, linesPerTool: lines / tools, issuedAtMs: billing.clock.now() };
    id = await putLargeInvoice(billing.owner, { ...whose, ...size });
  }, 120_000);

  describe('an invoice with 160,000 lines', () => {
    it('F130 is printed with one row per tool, without holding up other requests', async () => {
      let answer = await get('');
      const heldMs = await longestHoldMs(async () => {
        await repaint();
        answer = await pdf();
      });
      expect(answer.status).toBe(200);
      expect(heldMs).toBeLessThan(50);
      const { text, totalPages } = await extractText(answer.bytes.slice(), { mergePages: true });
      expect(totalPages).toBeLessThan(40);
      expect(text).toMatch(/large-\w+-000001 80 lines 0\.80\b/);
      expect(text).toContain('All other tools 120,000 lines 1,200.00');
      expect(text.replaceAll('\n', ' ')).toContain('The 160,000 lines of this invoice are added up by tool');
      expect(text.replaceAll('\n', '')).toContain(`/v1/billing/invoices/${id}/lines`);
      expect(text).toContain('Total USD 1,600.00');
    }, 120_000);

    it('F132 has its first 1,000 lines in the answer, and 20 in a list', async () => {
      const { body: one } = await get<Invoice>(`/${id}`);
      expect(one).toMatchObject({ line_count: lines, lines_truncated: true, total_usd: 1_600 });
      expect(one.lines).toHaveLength(1_000);
      const { body: list } = await get<InvoiceList>('');
      expect(list.invoices).toMatchObject([{ line_count: lines, lines_truncated: true }]);
      expect(list.invoices[0]?.lines).toHaveLength(20);
    });

    it('F132 has all its lines page by page, in order', async () => {
      const { body: first } = await get<InvoiceLineList>(`/${id}/lines?limit=100`);
      expect(first).toMatchObject({ total: lines, has_more: true });
      const { body: one } = await get<Invoice>(`/${id}`);
      expect(first.lines).toEqual(one.lines.slice(0, 100));
      const { body: second } = await get<InvoiceLineList>(`/${id}/lines?cursor=${first.next_cursor}`);
      expect(second.lines).toEqual(one.lines.slice(100, 120));
      const beyond = encodeCursor('lines', [2_147_483_647]); // anybody can make one
      expect(await get(`/${id}/lines?cursor=${beyond}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      });
    });
  });

  it('F131 answers each of many PDFs asked for at once with the file, or with 503 and Retry-After', async () => {
    await repaint();
    const answers = await Promise.all(Array.from({ length: 8 }, pdf));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeLessThanOrEqual(5); // one is made, and two wait
    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'pdf_busy' } });
      expect(answer.headers.get('retry-after')).toBe('2');
    }
  }, 60_000);
});

describe('close large consumer', () => {
  const bob = '20000000-0000-4000-8000-000000000000';
  const tools = 40_000;
  const lines = tools * 8;

  let fixture: InvoicingFixture;
  let worker: Database; // its statements may take longer

  beforeAll(async () => {
    fixture = await createInvoicingFixture();
    worker = createDatabase({
      url: fixture.database.urlFor('billing_worker'),
      name: 'large',
      statementTimeoutMs: 120_000,
      isPipelined: true,
      log,
    });
    await putManyTools(fixture.owner, { builderId: builder, prefix: 'tool', tools });
    await fixture.owner.query(
      `insert into usage.rollup select $1::uuid, tool_id, '2026-01-05Z'::timestamptz, true, 3, 0 from billing.tool
     union all select $2::uuid, 'tool-000001', '2026-01-05Z', true, 100, 0`,
      [ada, bob],
    );
    await putWatermark(fixture.owner, '2026-02-02T00:00:00Z');
  }, 120_000);
  afterAll(async () => {
    await worker.stop();
    await fixture.drop();
  });

  /** Runs this code of the service in a process with a small heap. `database` is open in it. */
  async function runInSmallHeap(imports: string, work: string, heapMb = 128): Promise<void> {
    const source = (path: string) => JSON.stringify(`${import.meta.dirname}/../../src/${path}`);
    const script = `
    import { createDatabase } from '@tollgate/database/database';
    import { createLogger } from '@tollgate/runtime/logging/create-logger';
    ${imports.replaceAll(/from '(.*)'/g, (_from, path: string) => `from ${source(path)}`)}
    const log = createLogger({ name: 'small-heap', level: 'error' });
    const database = createDatabase({ url: ${JSON.stringify(fixture.database.urlFor('billing_worker'))}, name: 'small-heap',
      maxConnections: 2, statementTimeoutMs: 60_000, isPipelined: true, log });
    ${work}
    await database.stop();`;
    const flags = ['--conditions=@tollgate/source', '--disable-warning=ExperimentalWarning'];
    const args = [...flags, `--max-old-space-size=${heapMb}`, '--input-type=module-typescript', '--eval', script];
    await promisify(execFile)(process.execPath, args, { cwd: `${import.meta.dirname}/../..` });
  }

  it('F133 closes the month of a consumer with 320,000 lines within 128 MB of heap', async () => {
    await runInSmallHeap(
      `import { createCloseDuePeriods } from 'invoicing/close-due-periods.ts';`,
      `await createCloseDuePeriods({ database, minimumMicros: 500_000n, log })(${nowMs});`,
    );
    const text = `select i.charge_micros, i.total_cents, count(*)::int as lines, max(l.place) as places, sum(l.charge_micros) as charged,
      (select count(*)::int from billing.drafted_line) as drafted, (select count(*)::int from billing.unclosed_consumer) as unclosed
    from billing.invoice i join billing.invoice_line l using (invoice_id) where i.consumer_id = $1 group by 1, 2`;
    const charged = String(lines * 30_000);
    expect(onlyRow(await fixture.owner.query(text, [ada]))).toEqual({
      charge_micros: charged,
      charged,
      total_cents: String(lines * 3),
      lines,
      places: lines,
      drafted: 0,
      unclosed: 0,
    });
    expect(onlyRow(await fixture.owner.query(text, [bob]))).toMatchObject({ lines: 8, total_cents: '800' });
  }, 300_000);

  it('F133 releases its lines within 128 MB when it is paid', async () => {
    const id = invoiceIdOf({ consumerId: ada, period: '2026-01' });
    await runInSmallHeap(
      `import { payInvoice } from 'collection/pay-invoice.ts';
     import { lockInvoice } from 'invoicing/sql-invoices.ts';`,
      `await database.transaction(async (tx) => {
      const invoice = await lockInvoice(tx, '${id}');
      await payInvoice(tx, invoice, { scope: 'lifetime', paidAtMs: ${nowMs}, chargedCents: invoice.totalCents });
    });`,
    );
    const text = `select count(*)::int as lines, max(release_place) as places, sum(fee_micros) as fees, sum(charge_micros) as charged
    from billing.released_line where released_by = $1`;
    const charged = BigInt(lines) * 30_000n;
    const fees = ((charged - 1_000_000_000n) * 4n) / 100n;
    expect(onlyRow(await fixture.owner.query(text, [id]))).toEqual({
      lines,
      places: lines,
      fees: String(fees),
      charged: String(charged),
    });
  }, 300_000);

  it('F133 gives back a part of each line within 192 MB when it is refunded', async () => {
    const id = invoiceIdOf({ consumerId: ada, period: '2026-01' });
    await runInSmallHeap(
      `import { applyRefund } from 'refunds/apply-refund.ts';
     import { insertRefund } from 'refunds/sql-refunds.ts';`,
      `const refund = { id: '${refundId}', invoiceId: '${id}', amountCents: 480_000n };
    const state = { cause: 'operator', status: 'succeeded', failureCode: null, createdAtMs: ${nowMs}, succeededAtMs: ${nowMs} };
    await database.transaction(async (tx) => {
      await insertRefund(tx, { ...refund, ...state });
      await applyRefund(tx, { ...refund, appliedAtMs: ${nowMs} });
    });`,
      192, // the plan of a refund has all lines
    );
    const text = `select count(*)::int as lines, sum(charge_micros) as charged from billing.refunded_line where refund_id = $1`;
    expect(onlyRow(await fixture.owner.query(text, [refundId]))).toEqual({ lines, charged: '4800000000' });
  }, 300_000);

  it('F133 agrees with the books, whose check rates every line again', async () => {
    const { differences, lines: checked } = await checkLedger(worker);
    expect(checked).toBe(lines + 8);
    // Here an invoice is paid without a charge, and refunded without an order.
    expect(differences.map(({ check }) => check)).toEqual([
      'each successful charge paid its invoice or is a stray',
      'each refund that the operator ordered is its order',
    ]);
  }, 300_000);
});
