import { measurePattern } from '@tollgate/contracts/events/measure';
import { onlyRow, type Transaction } from '@tollgate/database/database';
import { addCalls, addMeasures } from '../counting/sql-add-to-rollups.ts';
import { foldCalls, foldMeasures } from '../counting/sql-fold.ts';
import { putLateUsageOf } from '../counting/sql-put-late-usage.ts';

export interface RollupComparison {
  /** The first hour whose events are all kept, ISO; null without events. */
  readonly from: string | null;
  readonly events: number;
  readonly rows: number;
  readonly differences: number;
  /** The first differences, as text. */
  readonly examples: readonly string[];
}

const pass = `'by pass ' || pass_id`; // null for calls without one, and concat_ws leaves it out
/** Rollup rows as lines of text, one for the calls and one per measure, so that one comparison covers all tables. */
const callsAsLines = (source: string): string =>
  `select concat_ws(' ', consumer_id, tool_id, extract(epoch from hour)::bigint, success, 'calls', calls, duration_ms, ${pass}) as line from ${source} c`;
const measuresAsLines = (source: string): string =>
  `select concat_ws(' ', consumer_id, tool_id, extract(epoch from hour)::bigint, success, 'measure', to_json(key), total, ${pass}) as line from ${source} m`;

/** The first day with a table may be half a day after the oldest rollup: older hours cannot be rebuilt. */
const keptSince = `(select min(to_date(right(c.relname, 8), 'YYYYMMDD'))::timestamp at time zone 'UTC'
  from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'usage.event'::regclass)`;

const compare = `with since as materialized (select ${keptSince} as hour),
  kept as materialized (
    ${callsAsLines('(select * from usage.rollup_v1 where hour >= (select hour from since))')}
    union all ${measuresAsLines('(select * from usage.rollup_measure_v1 where hour >= (select hour from since))')}
  ), rebuilt as materialized (
    ${callsAsLines(`(${foldCalls('usage.event', 'withPass')})`)}
    union all ${measuresAsLines(`(${foldMeasures('usage.event', '$1', 'withPass')})`)}
  ), differing as materialized (
    select 'kept    ' || line as line from (table kept except all table rebuilt) k
    union all select 'rebuilt ' || line from (table rebuilt except all table kept) r
  )
  select (select hour from since) as since,
    (select count(*) from usage.event) as events,
    (select count(*) from kept) as rows,
    (select count(*) from differing) as differences,
    (select coalesce(array_agg(line), '{}') from (select line from differing order by substr(line, 9) collate "C", line limit 20) d) as examples`;

interface Row {
  readonly since: Date | null;
  readonly events: bigint;
  readonly rows: bigint;
  readonly differences: bigint;
  readonly examples: string[];
}

export async function compareRollups(tx: Transaction): Promise<RollupComparison> {
  const row = onlyRow(await tx.query<Row>(compare, [measurePattern]));
  return {
    from: row.since?.toISOString() ?? null,
    events: Number(row.events),
    rows: Number(row.rows),
    differences: Number(row.differences),
    examples: row.examples,
  };
}

const replaceCalls = `with ${addCalls('usage.event', 'withPass')} select`;
const replaceMeasures = `with ${addMeasures('usage.event', '$1', 'withPass')} select`;

const putLateUsage = putLateUsageOf(`select distinct consumer_id, tool_id, to_char(hour at time zone 'UTC', 'YYYY-MM')
  from usage.rollup_v1 where hour >= ${keptSince}`);

/**
 * Replaces all rollups since the first kept day by sums of the events. Rows that leave and rows that come may belong to
 * closed months, so the next close rates both again.
 */
export async function replaceRollups(tx: Transaction): Promise<void> {
  await tx.query(putLateUsage);
  for (const table of ['rollup', 'rollup_measure', 'pass_rollup', 'pass_rollup_measure'])
    await tx.query(`delete from usage.${table} where hour >= ${keptSince}`);
  await tx.query(replaceCalls);
  await tx.query(replaceMeasures, [measurePattern]);
  await tx.query(putLateUsage);
}
