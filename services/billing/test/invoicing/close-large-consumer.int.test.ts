import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDatabase, onlyRow, type Database } from '@tollgate/database/database';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import { invoiceIdOf } from '../../src/invoicing/issue-invoice.ts';
import { createInvoicingFixture, type InvoicingFixture } from '../support/invoicing-fixture.ts';
import { putManyTools } from '../support/put-large-invoice.ts';
import { putWatermark } from '../support/put-rollup.ts';
import { silentLog as log } from '../support/silent-log.ts';

const builder = '00000000-0000-4000-8000-00000000000b';
const ada = '10000000-0000-4000-8000-000000000000';
const bob = '20000000-0000-4000-8000-000000000000';
const refundId = '30000000-0000-4000-8000-000000000000';
const nowMs = Date.parse('2026-02-02T00:00:01Z');
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
