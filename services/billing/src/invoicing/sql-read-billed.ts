import { micros, type Micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import type { Line } from '@tollgate/pricing/line';
import { limitOf, refuseMoreThan, type RowBounds } from '../usage/too-much-usage.ts';
import type { UsageSpan } from '../usage/usage-span.ts';
import { fromDbLine, lineColumns, type DbLine } from './sql-db-line.ts';

export interface Billed {
  /** The lines of the span's periods, adjustments included. */
  readonly lines: readonly Line[];
  readonly last: LastInvoice | null;
}

/** Periods close in order, so the last invoice carries out everything that is still unbilled. */
export interface LastInvoice {
  readonly period: string;
  readonly carriedOutMicros: Micros;
}

interface InvoiceRow {
  readonly last_period: string;
  readonly carried_out_micros: string;
}

type Row = InvoiceRow & (DbLine | { readonly consumer_id: string; readonly price_id: null });

/** One statement reads lines and remainder, so that an invoice stored meanwhile is in both or in neither. */
const text = `
with span as materialized (
  select * from unnest($1::uuid[], $2::text[], $3::text[]) as t (consumer_id, first_period, last_period)
), last as materialized (
  select i.* from (select distinct consumer_id from span) c cross join lateral (
    select i.consumer_id, i.period as last_period, i.carried_out_micros
    from billing.invoice i where i.consumer_id = c.consumer_id order by i.period desc limit 1
  ) i
), line as (
  select ${lineColumns}, i.period as invoice_period, l.place
  from span s
  join billing.invoice i on i.consumer_id = s.consumer_id and i.period >= s.first_period
  join billing.invoice_line l on l.invoice_id = i.invoice_id
    and coalesce(l.adjustment_of, i.period) between s.first_period and s.last_period
    and ($4::text[] is null or l.tool_id = any ($4))
  limit $5
)
select line.*, last.consumer_id, last.last_period, last.carried_out_micros
from last left join line using (consumer_id)
order by last.consumer_id, line.invoice_period, line.place`;

/**
 * Reads the billed lines of these spans, by consumer. Consumers without an invoice are not in the map. Throws `TooMuchUsage`
 * beyond the bounds.
 */
export async function readBilled(
  tx: Transaction,
  spans: readonly UsageSpan[],
  bounds: RowBounds = {},
): Promise<ReadonlyMap<string, Billed>> {
  const rows = await tx.query<Row>({ name: 'billing.read_billed', text }, [
    spans.map(({ consumerId }) => consumerId),
    spans.map(({ firstPeriod }) => firstPeriod),
    spans.map(({ lastPeriod }) => lastPeriod),
    bounds.toolIds ?? null,
    limitOf(bounds),
  ]);
  refuseMoreThan(bounds, rows.filter(isLine));
  const byConsumer = Map.groupBy(rows, ({ consumer_id: consumerId }) => consumerId);
  return new Map([...byConsumer].map(([consumerId, own]) => [consumerId, { lines: linesOf(own), last: lastOf(own) }]));
}

function linesOf(rows: readonly Row[]): Line[] {
  return rows.filter(isLine).map(fromDbLine);
}

function isLine(row: Row): row is InvoiceRow & DbLine {
  return row.price_id !== null;
}

function lastOf(rows: readonly InvoiceRow[]): LastInvoice | null {
  const last = rows.at(-1);
  return last ? { period: last.last_period, carriedOutMicros: micros(BigInt(last.carried_out_micros)) } : null;
}

const lastText = `
select period as last_period, carried_out_micros from billing.invoice where consumer_id = $1 order by period desc limit 1`;

/** Null before the first. */
export async function readLastInvoice(tx: Transaction, consumerId: string): Promise<LastInvoice | null> {
  return lastOf(await tx.query<InvoiceRow>({ name: 'billing.read_last_invoice', text: lastText }, [consumerId]));
}
