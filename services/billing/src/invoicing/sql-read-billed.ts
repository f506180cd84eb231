import { micros, type Micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import type { Line } from '@tollgate/pricing/line';
import { limitOf, refuseMoreThan, type RowBounds } from '../usage/sql-sum-usage-by-price.ts';
import type { UsageSpan } from '../usage/usage-row.ts';
import { fromDbLine, lineColumns, type DbLine } from './sql-invoice-lines.ts';

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

/** A closed month for which usage was counted that no invoice has billed. */
export interface LateUsage {
  readonly consumerId: string;
  readonly period: string;
  /** Goes up whenever more is counted for this month. */
  readonly counts: bigint;
}

const readText = `
select l.consumer_id, l.period, sum(l.counts)::bigint as counts
from usage.late_usage_v1 l left join billing.billed_late_usage b using (consumer_id, period)
where l.consumer_id = any ($1::uuid[]) and l.period >= $2
group by l.consumer_id, l.period, b.counts
having sum(l.counts) > coalesce(b.counts, 0)`;

/**
 * Late usage of these consumers since this period. Read it before the rollups: what is counted between the two reads is
 * then billed now, and looked at once more by the next close, which finds no difference.
 */
export async function readLateUsage(
  tx: Transaction,
  consumerIds: readonly string[],
  firstPeriod: string,
): Promise<LateUsage[]> {
  const rows = await tx.query<{ consumer_id: string; period: string; counts: bigint }>(
    { name: 'billing.read_late_usage', text: readText },
    [consumerIds, firstPeriod],
  );
  return rows.map(({ consumer_id: consumerId, period, counts }) => ({ consumerId, period, counts }));
}

const putText = `
insert into billing.billed_late_usage as b (consumer_id, period, counts)
select * from unnest($1::uuid[], $2::text[], $3::bigint[]) order by 1, 2
on conflict (consumer_id, period) do update set counts = greatest(b.counts, excluded.counts)`;

/** Call it in the transaction that stores the invoices which bill this usage. */
export async function putBilledLateUsage(tx: Transaction, billed: readonly LateUsage[]): Promise<void> {
  await tx.query({ name: 'billing.put_billed_late_usage', text: putText }, [
    billed.map(({ consumerId }) => consumerId),
    billed.map(({ period }) => period),
    billed.map(({ counts }) => String(counts)),
  ]);
}
