import type { Bounds } from '@tollgate/kernel/period';
import type { Transaction } from '@tollgate/database/database';
import type { CountedUsage } from '@tollgate/pricing/counted-usage';

function monthOf(sums: string): string {
  return `to_char(span.edges[${sums}.place] at time zone 'UTC', 'YYYY-MM')`;
}

function inForceAt(sums: string): string {
  return `cross join span join billing.tool_price_v1 p on p.tool_id = ${sums}.tool_id
    and p.effective_from <= span.edges[${sums}.place] and p.effective_to > span.edges[${sums}.place]`;
}

interface DbCountedUsage {
  readonly consumer_id: string;
  readonly price_id: string;
  readonly success: boolean;
  readonly period: string;
  readonly calls: string;
  readonly duration_ms: string;
  readonly measures: Record<string, string> | null; // null: no call had a measure
}

/**
 * Sums the usage of these consumers by month, price version and outcome, as rating needs it. One statement, so that
 * calls and measures come from one snapshot.
 *
 * Each hour belongs to the price version in force then. Looking that up per hour took most of the time, so hours are
 * first added up by spans. Spans are cut at the beginnings of the months and of all price versions. Within a span no
 * price changes, so all of it belongs to the version in force at its beginning.
 */
const text = `
with span as materialized (
  select array_agg(edge order by edge) as edges from (
    select generate_series($2::timestamptz, $3::timestamptz, interval '1 month', 'UTC') as edge
    union
    select p.effective_from from billing.tool_price_v1 p where p.effective_from > $2 and p.effective_from < $3
  ) as edge
), span_calls as materialized (
  select r.consumer_id, r.tool_id, r.success, width_bucket(r.hour, (select edges from span)) as place,
    sum(r.calls) as calls, sum(r.duration_ms) as duration_ms
  from usage.rollup_v1 r
  where r.consumer_id = any ($1::uuid[]) and r.hour >= $2 and r.hour < $3
  group by 1, 2, 3, 4
), span_measure as materialized (
  select r.consumer_id, r.tool_id, r.success, width_bucket(r.hour, (select edges from span)) as place, r.key,
    sum(r.total) as total
  from usage.rollup_measure_v1 r
  where r.consumer_id = any ($1::uuid[]) and r.hour >= $2 and r.hour < $3
  group by 1, 2, 3, 4, 5
), calls as (
  select c.consumer_id, p.price_id, c.success, ${monthOf('c')} as period,
    sum(c.calls) as calls, sum(c.duration_ms) as duration_ms
  from span_calls c ${inForceAt('c')}
  group by 1, 2, 3, 4
), measure as (
  select m.consumer_id, p.price_id, m.success, ${monthOf('m')} as period, m.key, sum(m.total) as total
  from span_measure m ${inForceAt('m')}
  group by 1, 2, 3, 4, 5
), measures as (
  select consumer_id, price_id, success, period, jsonb_object_agg(key, trim_scale(total)::text) as measures
  from measure group by 1, 2, 3, 4
)
select consumer_id, price_id, success, period, calls::text, duration_ms::text, measures
from calls left join measures using (consumer_id, price_id, success, period)`;

/** `start` and `end` must be beginnings of months. */
export async function sumUsageByPrice(
  tx: Transaction,
  consumerIds: readonly string[],
  { start, end }: Bounds,
): Promise<CountedUsage[]> {
  const rows = await tx.query<DbCountedUsage>(text, [consumerIds, new Date(start), new Date(end)]);
  return rows.map(fromDbCountedUsage);
}

const noMeasures: ReadonlyMap<string, string> = new Map();

function fromDbCountedUsage(row: DbCountedUsage): CountedUsage {
  return {
    period: row.period,
    consumerId: row.consumer_id,
    priceId: row.price_id,
    success: row.success,
    calls: BigInt(row.calls),
    durationMs: BigInt(row.duration_ms),
    measures: row.measures === null ? noMeasures : new Map(Object.entries(row.measures)),
  };
}
