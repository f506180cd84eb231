import type { Bounds } from '@tollgate/kernel/period';
import type { Transaction } from '@tollgate/database/database';
import type { UsagePart } from '@tollgate/pricing/usage-part';

function monthOf(sums: string): string {
  return `to_char(span.edges[${sums}.place] at time zone 'UTC', 'YYYY-MM')`;
}

function inForceAt(sums: string): string {
  return `cross join span join billing.tool_price_v1 p on p.tool_id = ${sums}.tool_id
    and p.effective_from <= span.edges[${sums}.place] and p.effective_to > span.edges[${sums}.place]`;
}

interface DbUsagePart {
  readonly consumer_id: string;
  readonly price_id: string;
  readonly success: boolean;
  readonly period: string;
  readonly calls: string;
  readonly duration_ms: string;
  readonly measures: Record<string, string> | null; // no call had any
}

/**
 * What these consumers used within these months, by month, price version and outcome: what rating needs, and no more. One
 * statement, so calls and measures are of one moment.
 *
 * Each hour belongs to the version that was in force then. Looked up hour by hour that took most of the time, so hours are
 * added up first, by spans: from any edge to the next, where edges are the beginnings of the months and of all versions.
 * Within a span no tool changes its price, so all of it belongs to the version in force at its edge.
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

/** The bounds are those of months. */
export async function sumUsageParts(
  tx: Transaction,
  consumerIds: readonly string[],
  { start, end }: Bounds,
): Promise<UsagePart[]> {
  const rows = await tx.query<DbUsagePart>(text, [consumerIds, new Date(start), new Date(end)]);
  return rows.map(fromDbUsagePart);
}

const noMeasures: ReadonlyMap<string, string> = new Map();

function fromDbUsagePart(row: DbUsagePart): UsagePart {
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
