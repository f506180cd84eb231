import { micros, type Micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import type { Line } from '@tollgate/pricing/line';
import { fromDbLine, lineColumns, type DbLine } from './sql-db-line.ts';

export interface Billed {
  /** The lines of `firstPeriod` and later periods, adjustments included. */
  readonly lines: readonly Line[];
  readonly last: LastInvoice | null;
}

/** Periods close in order, so the last invoice carries out everything that is still unbilled. */
export interface LastInvoice {
  readonly period: string;
  readonly carriedOutMicros: Micros;
}

interface InvoiceRow {
  readonly consumer_id: string;
  readonly invoice_period: string;
  readonly carried_out_micros: string;
}

type Row = InvoiceRow & (DbLine | { readonly price_id: null });

/** One statement reads lines and remainder, so that an invoice stored meanwhile is in both or in neither. */
const text = `
select ${lineColumns}, i.period as invoice_period, i.carried_out_micros
from billing.invoice i
left join billing.invoice_line l on l.invoice_id = i.invoice_id and coalesce(l.adjustment_of, i.period) >= $2
where i.consumer_id = any ($1::uuid[])
  and i.period >= least($2, (select max(last.period) from billing.invoice last where last.consumer_id = i.consumer_id))
order by i.consumer_id, i.period, l.place`;

/** Reads billed lines by consumer. Consumers without an invoice are not in the map. */
export async function readBilled(
  tx: Transaction,
  consumerIds: readonly string[],
  firstPeriod: string,
): Promise<ReadonlyMap<string, Billed>> {
  const rows = await tx.query<Row>({ name: 'billing.read_billed', text }, [consumerIds, firstPeriod]);
  const byConsumer = Map.groupBy(rows, ({ consumer_id: consumerId }) => consumerId);
  return new Map([...byConsumer].map(([consumerId, own]) => [consumerId, { lines: linesOf(own), last: lastOf(own) }]));
}

function linesOf(rows: readonly Row[]): Line[] {
  return rows.filter((row): row is InvoiceRow & DbLine => row.price_id !== null).map(fromDbLine);
}

function lastOf(rows: readonly Row[]): LastInvoice | null {
  const last = rows.at(-1);
  return last ? { period: last.invoice_period, carriedOutMicros: micros(BigInt(last.carried_out_micros)) } : null;
}
