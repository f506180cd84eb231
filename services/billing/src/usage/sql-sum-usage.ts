import type { Transaction } from '@tollgate/database/database';
import { isByPass, isUsuallyShort, type UsageQuery, type UsageRow } from './usage-row.ts';
import { callsOfRole, fetchInBatches } from './sql-fetch-in-batches.ts';

const noId = '00000000-0000-0000-0000-000000000000';

/**
 * One statement serves every grouping. A dimension that the query does not group by becomes a constant, never null, so
 * that calls and measures meet in a hash join.
 *
 * Plan: the rollups' primary keys (consumer) or their indexes by tool (builder), bounded by the query's hours.
 */
const textFor = (query: UsageQuery): string => {
  const where = `${callsOfRole[query.role]} and hour >= $2 and hour < $3 and ($4::text is null or tool_id = $4)`;
  const { passes, join, columns, names } = isByPass(query) ? partsByPass : partsWithoutPass;
  const dimensions = `start_at, tool, consumer, outcome${names}`;
  return `
with ${passes}calls as (
  select ${dimensionColumns}${columns}, sum(calls) as calls, coalesce(sum(calls) filter (where success), 0) as successes,
    sum(duration_ms) as duration_ms
  from usage.rollup_v1 r${join}
  where ${where}
  group by ${dimensions}
), measure as (
  select ${dimensionColumns}${columns}, key, sum(total) as total
  from usage.rollup_measure_v1 r${join}
  where ${where}
  group by ${dimensions}, key
), measures as (
  select ${dimensions}, jsonb_object_agg(key, trim_scale(total)::text) as measures
  from measure
  group by ${dimensions}
)
select ${dimensions}, calls::text, successes::text, duration_ms::text,
  coalesce(measures, '{}') as measures
from calls left join measures using (${dimensions})
order by start_at, tool collate "C", consumer, outcome${names}`;
};

const dimensionColumns = `
    case when $5::text is null then '-infinity' else date_trunc($5, hour, 'UTC') end as start_at,
    case when $6::boolean then tool_id else '' end as tool,
    case when $7::boolean then consumer_id else '${noId}' end as consumer,
    case when $8::boolean then success else true end as outcome`;

const partsWithoutPass = { passes: '', join: '', columns: '', names: '' };

/** `tags` has an element per name, null where the pass has no such tag. It is text, which does not depend on a locale. */
const partsByPass = {
  passes: `pass as materialized (
  select pass_id, (select jsonb_agg(p.tags -> name order by place) from unnest($10::text[]) with ordinality t (name, place))::text as tags_of_pass
  from gate.pass_tags_v1 p where p.account_id = $1
), `,
  join: ' left join pass using (pass_id)',
  columns: `,
    coalesce(case when $9::boolean then pass_id end, '${noId}') as pass,
    coalesce(tags_of_pass, to_jsonb(array_fill(null::text, array[cardinality($10::text[])]))::text) collate "C" as tags`,
  names: ', pass, tags',
};

interface DbUsageRow {
  readonly start_at: Date | number; // -Infinity: the query has no granularity
  readonly tool: string;
  readonly consumer: string;
  readonly outcome: boolean;
  /** These two where the query tells passes apart. */
  readonly pass?: string;
  readonly tags?: string;
  readonly calls: string;
  readonly successes: string;
  readonly duration_ms: string;
  readonly measures: Record<string, string>;
}

const batchRows = 500;

/**
 * Sums usage by the query's dimensions. Returns at most `rowsMax` rows, ordered by start, tool, consumer, success, pass
 * and tags.
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
    ...(isByPass(query) ? [query.groupBy.has('pass_id'), query.tags ?? []] : []),
  ];
  const rows: UsageRow[] = [];
  const name = `billing.sum_usage${isByPass(query) ? '_by_pass' : ''}`;
  const fetching = {
    text: textFor(query),
    values,
    batchRows,
    rowsMax,
    usuallyShortAs: isUsuallyShort(query, batchRows) ? name : undefined,
  };
  for await (const batch of fetchInBatches<DbUsageRow>(tx, fetching))
    rows.push(...batch.map((row) => fromDbUsageRow(row, query)));
  return rows;
}

function fromDbUsageRow(row: DbUsageRow, query: UsageQuery): UsageRow {
  const { granularity, groupBy } = query;
  const calls = BigInt(row.calls);
  const successes = BigInt(row.successes);
  return {
    ...(granularity && row.start_at instanceof Date && { startMs: row.start_at.getTime() }),
    ...(groupBy.has('tool_id') && { toolId: row.tool }),
    ...(groupBy.has('consumer_id') && { consumerId: row.consumer }),
    ...(groupBy.has('success') && { success: row.outcome }),
    ...passOf(row, query),
    calls,
    successes,
    failures: calls - successes,
    durationMs: BigInt(row.duration_ms),
    measures: new Map(Object.entries(row.measures)),
  };
}

function passOf({ pass = noId, tags: text = '[]' }: DbUsageRow, { groupBy, tags = [] }: UsageQuery) {
  return {
    ...(groupBy.has('pass_id') && { passId: pass === noId ? null : pass }),
    ...(tags.length > 0 && { tags: JSON.parse(text) as (string | null)[] }), // made by the statement
  };
}

export type PassTags = Readonly<Record<string, string>>;

/** The tags of an account's passes, of revoked ones too, by the ids of the passes. */
export async function readPassTags(tx: Transaction, accountId: string): Promise<ReadonlyMap<string, PassTags>> {
  const text = 'select pass_id, tags from gate.pass_tags_v1 where account_id = $1';
  const rows = await tx.query<{ pass_id: string; tags: PassTags }>(text, [accountId]);
  return new Map(rows.map((row) => [row.pass_id, row.tags]));
}
