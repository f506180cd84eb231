import { periodBounds } from '@tollgate/kernel/period';
import type { Transaction } from '@tollgate/database/database';
import type { CountedUsage } from '@tollgate/pricing/counted-usage';
import { priceInForce, versionsOf } from './sql-versions-of.ts';
import { limitOf, refuseMoreThan, type RowBounds } from './too-much-usage.ts';
import type { UsageSpan } from './usage-span.ts';

interface DbCountedUsage {
  readonly consumer_id: string;
  readonly price_id: string;
  readonly success: boolean;
  readonly period: string;
  readonly calls: string;
  readonly duration_ms: string;
  readonly measures: Record<string, string> | null; // no call had any
}

/**
 * The sums of each pair by price version, month, outcome and `keys`. Each pair is summed by itself, which costs less than
 * to sort the hours of all pairs. Its bounds are compared as rows, since only the primary key can answer that: on tables
 * without statistics the planner took the index by tool, and read all of the tool's consumers for each of them. The month
 * is a place in the span: `date_trunc` with a time zone takes 0.4 µs per hour of usage.
 */
const sumsOf = (rollup: string, { sums, keys = '' }: { sums: string; keys?: string }): string => `
  select s.consumer_id, r.* from span s join priced v using (consumer_id) cross join lateral (
    select ${priceInForce('v', 'r.hour')} as price_id, s.months[width_bucket(r.hour, s.months)] as month, r.success${keys}, ${sums}
    from ${rollup} r where (r.consumer_id, r.tool_id, r.hour) >= (s.consumer_id, v.tool_id, s.start_at)
      and (r.consumer_id, r.tool_id, r.hour) < (s.consumer_id, v.tool_id, s.end_at)
    group by 1, 2, r.success${keys} offset 0) r`;

const pairsOfAllTools = `pair_or_end as (
  select c.consumer_id, (select r.tool_id from usage.rollup_v1 r where r.consumer_id = c.consumer_id
                         order by r.tool_id limit 1) as tool_id
  from (select distinct consumer_id from span) c
  union all
  select p.consumer_id, (select r.tool_id from usage.rollup_v1 r where r.consumer_id = p.consumer_id and r.tool_id > p.tool_id
                         order by r.tool_id limit 1)
  from pair_or_end p where p.tool_id is not null
), pair as materialized (
  select consumer_id, tool_id from pair_or_end where tool_id is not null
)`;
const pairsOfTools = `pair as materialized (
  select c.consumer_id, t.tool_id from (select distinct consumer_id from span) c cross join unnest($5::text[]) t (tool_id)
)`;

/**
 * Usage of the spans by month, price version and outcome. One statement, so calls and measures are of one moment.
 *
 * `pair` has the given tools, or steps from tool to tool of each consumer, one look into the rollups' primary key per tool.
 * Then each pair's hours of a span are one range of that key: what lies before the span is not read. Each hour belongs to
 * the price version that was in force then, found in the sorted versions of its own tool: prices of other tools cost
 * nothing. The versions join the pairs before the hours: the planner takes the hours for few, and would compare each of
 * them with each tool.
 */
const text = (pairs: string): string => `
with recursive span as materialized (
  select *, array(select generate_series(start_at, end_at - interval '1 hour', interval '1 month', 'UTC')) as months
  from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) as t (consumer_id, start_at, end_at)
), ${pairs}, version as materialized (
  ${versionsOf('select distinct tool_id from pair')}
), priced as materialized (
  select p.consumer_id, v.* from pair p join version v using (tool_id)
), calls as (${sumsOf('usage.rollup_v1', { sums: 'sum(r.calls) as calls, sum(r.duration_ms) as duration_ms' })}
), measure as (${sumsOf('usage.rollup_measure_v1', { keys: ', r.key', sums: 'sum(r.total) as total' })}
), measures as (
  select consumer_id, price_id, success, month, jsonb_object_agg(key, trim_scale(total)::text) as measures
  from measure group by 1, 2, 3, 4
)
select consumer_id, price_id, success, to_char(month at time zone 'UTC', 'YYYY-MM') as period,
  calls::text, duration_ms::text, measures
from calls left join measures using (consumer_id, price_id, success, month)
limit $4`;

const textOfAllTools = text(pairsOfAllTools);
const textOfTools = text(pairsOfTools);

/** Throws `TooMuchUsage` beyond the bounds. Spans of one consumer must not overlap. */
export async function sumUsageByPrice(
  tx: Transaction,
  spans: readonly UsageSpan[],
  bounds: RowBounds = {},
): Promise<CountedUsage[]> {
  const values = [
    spans.map(({ consumerId }) => consumerId),
    spans.map(({ firstPeriod }) => new Date(periodBounds(firstPeriod).start)),
    spans.map(({ lastPeriod }) => new Date(periodBounds(lastPeriod).end)),
    limitOf(bounds),
  ];
  const { toolIds } = bounds;
  const rows = await (toolIds === undefined
    ? tx.query<DbCountedUsage>(textOfAllTools, values)
    : tx.query<DbCountedUsage>(textOfTools, [...values, toolIds]));
  refuseMoreThan(bounds, rows);
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
