import type { Transaction } from '@tollgate/database/database';
import type { UsageQuery, UsageRole } from './usage-query.ts';
import type { UsageRow } from './usage-row.ts';
import { callsOfRole } from './sql-calls-of-role.ts';
import { fetchInBatches } from './sql-fetch-in-batches.ts';

/**
 * One statement serves every grouping. A dimension that the query does not group by becomes a constant, never null, so
 * that calls and measures meet in a hash join.
 *
 * Plan: the rollups' primary keys (consumer) or their indexes by tool (builder), bounded by the query's hours. The
 * statement is never prepared, since a generic plan would know neither role nor bounds.
 */
const textFor = (role: UsageRole): string => `
with calls as (
  select ${dimensions}, sum(calls) as calls, coalesce(sum(calls) filter (where success), 0) as successes,
    sum(duration_ms) as duration_ms
  from usage.rollup_v1 r
  where ${whereText(role)}
  group by start_at, tool, consumer, outcome
), measure as (
  select ${dimensions}, key, sum(total) as total
  from usage.rollup_measure_v1 r
  where ${whereText(role)}
  group by start_at, tool, consumer, outcome, key
), measures as (
  select start_at, tool, consumer, outcome, jsonb_object_agg(key, trim_scale(total)::text) as measures
  from measure
  group by start_at, tool, consumer, outcome
)
select start_at, tool, consumer, outcome, calls::text, successes::text, duration_ms::text,
  coalesce(measures, '{}') as measures
from calls left join measures using (start_at, tool, consumer, outcome)
order by start_at, tool collate "C", consumer, outcome
limit $9`;

const dimensions = `
    case when $5::text is null then '-infinity' else date_trunc($5, hour, 'UTC') end as start_at,
    case when $6::boolean then tool_id else '' end as tool,
    case when $7::boolean then consumer_id else '00000000-0000-0000-0000-000000000000' end as consumer,
    case when $8::boolean then success else true end as outcome`;

const whereText = (role: UsageRole): string =>
  `${callsOfRole[role]} and hour >= $2 and hour < $3 and ($4::text is null or tool_id = $4)`;

interface DbUsageRow {
  readonly start_at: Date | number; // -Infinity: the query has no granularity
  readonly tool: string;
  readonly consumer: string;
  readonly outcome: boolean;
  readonly calls: string;
  readonly successes: string;
  readonly duration_ms: string;
  readonly measures: Record<string, string>;
}

/**
 * Sums usage by the query's dimensions. Returns at most `rowsMax` rows, ordered by start, tool, consumer and success.
 */
export async function sumUsage(tx: Transaction, query: UsageQuery, rowsMax: number): Promise<UsageRow[]> {
  const values = [
    query.accountId,
    new Date(query.fromMs),
    new Date(query.toMs),
    query.toolId ?? null,
    query.granularity ?? null,
    query.groupBy.has('tool_id'),
    query.groupBy.has('consumer_id'),
    query.groupBy.has('success'),
    rowsMax,
  ];
  const rows: UsageRow[] = [];
  const fetching = { text: textFor(query.role), values, batchRows: 500 };
  for await (const batch of fetchInBatches<DbUsageRow>(tx, fetching))
    rows.push(...batch.map((row) => fromDbUsageRow(row, query)));
  return rows;
}

function fromDbUsageRow(row: DbUsageRow, { granularity, groupBy }: UsageQuery): UsageRow {
  const calls = BigInt(row.calls);
  const successes = BigInt(row.successes);
  return {
    ...(granularity && row.start_at instanceof Date && { startMs: row.start_at.getTime() }),
    ...(groupBy.has('tool_id') && { toolId: row.tool }),
    ...(groupBy.has('consumer_id') && { consumerId: row.consumer }),
    ...(groupBy.has('success') && { success: row.outcome }),
    calls,
    successes,
    failures: calls - successes,
    durationMs: BigInt(row.duration_ms),
    measures: new Map(Object.entries(row.measures)),
  };
}
