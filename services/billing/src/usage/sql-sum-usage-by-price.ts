import { periodBounds } from '@tollgate/kernel/period';
import type { Transaction } from '@tollgate/database/database';
import type { CountedUsage } from '@tollgate/pricing/counted-usage';
import { priceInForce, versionsOf } from './sql-fetch-in-batches.ts';
import type { UsageSpan } from './usage-row.ts';

interface Rollup {
  readonly table: string;
  /** Rows are kept apart by these. */
  readonly keys: readonly string[];
  readonly sums: readonly string[];
}

const calls: Rollup = { table: 'usage.rollup_v1', keys: ['success'], sums: ['calls', 'duration_ms'] };
const measures: Rollup = { table: 'usage.rollup_measure_v1', keys: ['success', 'key'], sums: ['total'] };

/** Selects the hours of `span` from the table of a rollup. */
type HoursOf = (table: string) => string;

/** One range of the primary key, in which PostgreSQL 18 skips the months before the span. */
const ofAllTools: HoursOf = (table) => `
      select * from ${table} r where r.consumer_id = span.consumer_id and r.hour >= span.start_at and r.hour < span.end_at`;

/** Bounds are compared as rows, since only the primary key can answer that: without statistics, the planner took the index by tool. */
const ofSomeTools: HoursOf = (table) => `
      select r.* from unnest($6::text[]) t (tool_id) cross join lateral (
        select * from ${table} r where (r.consumer_id, r.tool_id, r.hour) >= (span.consumer_id, t.tool_id, span.start_at)
          and (r.consumer_id, r.tool_id, r.hour) < (span.consumer_id, t.tool_id, span.end_at) offset 0) r`;

const list = (from: string, columns: readonly string[]): string => columns.map((name) => `${from}.${name}`).join(', ');
const added = ({ sums }: Rollup): string => sums.map((name) => `sum(r.${name}) as ${name}`).join(', ');

/**
 * The sums of each tool over its whole span. All rows of a tool have its first and its last hour, and one of them leads the
 * others.
 */
const sumsOfSpans = (rollup: Rollup, hours: string): string => `
  select span.consumer_id, span.months, summed.* from span cross join lateral (
    select r.tool_id, ${list('r', rollup.keys)}, ${added(rollup)}, min(min(r.hour)) over tool as first_at,
      max(max(r.hour)) over tool as last_at, row_number() over tool = 1 as is_leading, sum(count(*)) over () as hours
    from (${hours}) r
    group by r.tool_id, ${list('r', rollup.keys)} window tool as (partition by r.tool_id) offset 0) summed`;

const placeOf = (hour: string): string => `(width_bucket(${hour}, v.starts), width_bucket(${hour}, u.months))`;
const monthOf = (hour: string): string => `u.months[width_bucket(${hour}, u.months)]`;

/**
 * Adds the price and the month of their first hour to the sums. Most tools have one of each in their span: they are
 * undivided. The arrays of prices are not kept with each sum, since a tool may have thousands of versions.
 */
const priced = (sumsOfSpan: string): string => `
  select u.*, ${priceInForce('v', 'u.first_at')} as price_id, ${monthOf('u.first_at')} as month,
    ${placeOf('u.first_at')} = ${placeOf('u.last_at')} as is_undivided
  from (${sumsOfSpan}) u full join version v using (tool_id)`;

/** Sums by price version and month. The hours of divided tools are read again, once per tool. */
const sumsByPrice = (rollup: Rollup, from: string): string => `
  select consumer_id, price_id, month, ${rollup.keys.join(', ')}, ${rollup.sums.join(', ')} from ${from} where is_undivided
  union all
  select u.consumer_id, divided.*
  from (select * from ${from} where not is_undivided and is_leading) u full join version v using (tool_id)
  cross join lateral (
    select ${priceInForce('v', 'r.hour')}, ${monthOf('r.hour')}, ${list('r', rollup.keys)}, ${added(rollup)}
    from ${rollup.table} r
    where v.starts is not null and (r.consumer_id, r.tool_id, r.hour) >= (u.consumer_id, u.tool_id, u.first_at)
      and (r.consumer_id, r.tool_id, r.hour) <= (u.consumer_id, u.tool_id, u.last_at)
    group by 1, 2, ${list('r', rollup.keys)}
  ) divided`;

const isWithinBounds = 'not (select is_exceeded from bound)';

/**
 * Usage of the spans by month, price version and outcome. One statement, so calls and measures are of one moment.
 *
 * The hours of a consumer are one range, and their sums are divided by price and month afterwards. To look for the tools
 * first, and then for each pair's hours, took up to 1.4 times as long. Each hour belongs to the price version that was in force
 * then, found in the sorted versions of its own tool: prices of other tools cost nothing. A tool without a price gives no
 * row.
 *
 * Beyond the bounds ($4: rows, $5: hours per span) there is one row, which says so, and no hour is read again. Measures have
 * no bound of their own: a cut would lose some of them in silence.
 *
 * The joins are full ones, and rows without their partner are left out. With a limit, the planner prefers to compare each with
 * each, which took 20 s for 10,000 tools. It never does for a full join.
 */
const textFor = (hoursOf: HoursOf): string => `
with span as materialized (
  select *, array(select generate_series(start_at, end_at - interval '1 hour', interval '1 month', 'UTC')) as months
  from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) as t (consumer_id, start_at, end_at)
), used as materialized (${sumsOfSpans(calls, `${hoursOf(calls.table)} limit $5`)}
  limit $4
), bound as materialized (
  select coalesce(count(*) >= $4::bigint or max(hours) >= $5::bigint, false) as is_exceeded from used
), version as materialized (
  ${versionsOf('select distinct tool_id from used')}
), priced_calls as materialized (${priced(`select * from used where ${isWithinBounds}`)}
), calls as (${sumsByPrice(calls, 'priced_calls')}
), priced_measures as materialized (${priced(`${sumsOfSpans(measures, hoursOf(measures.table))} where ${isWithinBounds}`)}
), measure as (${sumsByPrice(measures, 'priced_measures')}
), measures as (
  select consumer_id, price_id, success, month, jsonb_object_agg(key, trim_scale(total)::text) as measures
  from measure group by 1, 2, 3, 4
), usage as (
  select consumer_id, price_id, success, to_char(month at time zone 'UTC', 'YYYY-MM') as period,
    calls::text, duration_ms::text, measures
  from calls full join measures using (consumer_id, price_id, success, month)
  where coalesce(calls.calls, 0) > 0
  limit $4
)
select b.is_exceeded, u.* from bound b left join usage u on true`;

const textOfAllTools = textFor(ofAllTools);
const textOfSomeTools = textFor(ofSomeTools);

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
    hoursLimitOf(bounds),
  ];
  const { toolIds } = bounds;
  const rows = await (toolIds === undefined
    ? tx.query<DbCountedUsage | NoUsage>(textOfAllTools, values)
    : tx.query<DbCountedUsage | NoUsage>(textOfSomeTools, [...values, toolIds]));
  if (rows[0]?.is_exceeded === true) throw new TooMuchUsage('more usage than is summed at once');
  const usage = rows.filter((row) => row.consumer_id !== null);
  refuseMoreThan(bounds, usage);
  return usage.map(fromDbCountedUsage);
}

interface DbCountedUsage {
  readonly is_exceeded: boolean;
  readonly consumer_id: string;
  readonly price_id: string;
  readonly success: boolean;
  readonly period: string;
  readonly calls: string;
  readonly duration_ms: string;
  readonly measures: Record<string, string> | null; // no call had any
}

/** The only row. */
interface NoUsage {
  readonly is_exceeded: boolean;
  readonly consumer_id: null;
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

/** The part of the usage or of the billed lines that is read. */
export interface RowBounds {
  /** Reads these tools only; default: all. */
  readonly toolIds?: readonly string[] | undefined;
  /** Throws `TooMuchUsage` where there are more rows, or more than 744 hours for each; default: there is no bound. */
  readonly rowsMax?: number | undefined;
}

/** More usage, or more billed lines, than is held in memory at once. */
export class TooMuchUsage extends Error {
  override readonly name = 'TooMuchUsage';
}

/** The limit for a query that shows whether there are more rows than `rowsMax`. */
export function limitOf({ rowsMax }: RowBounds): number | null {
  return rowsMax === undefined ? null : rowsMax + 1;
}

/** A month has no more. So only passes, which have hours of their own, make more hours than these out of few rows. */
const hoursPerRowMax = 744;

/** The limit for the hours of one span, from which its rows are summed. */
function hoursLimitOf({ rowsMax }: RowBounds): number | null {
  return rowsMax === undefined ? null : rowsMax * hoursPerRowMax + 1;
}

export function refuseMoreThan({ rowsMax }: RowBounds, rows: readonly unknown[]): void {
  if (rowsMax !== undefined && rows.length > rowsMax) throw new TooMuchUsage(`more than ${rowsMax} rows of usage`);
}
