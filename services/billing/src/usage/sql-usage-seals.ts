import { toIso } from '@tollgate/kernel/clock';
import type { Transaction } from '@tollgate/database/database';

/**
 * The sums of the rollups of each tool and hour, for a list of tools and the hours from `since` to `until`. They name no
 * order, so PostgreSQL adds them up without sorting. Each tool is looked up by itself: the rollups have no index by hour.
 */
export function usageSums(tools: string, since: string, until: string): string {
  const ofTool = `tool_id = t.tool_id and hour >= ${since} and hour < ${until}`;
  return `
  select t.tool_id, k.hour, sum(k.calls)::bigint as calls, sum(k.total) as quantity, sum(('x' || left(encode(sha256(convert_to(
    concat_ws(' ', k.consumer_id, k.success, coalesce(k.pass_id::text, '-'), k.calls, trim_scale(k.total), k.key), 'UTF8')),
    'hex'), 16))::bit(64)::bigint)::numeric as hash
  from unnest(${tools}) as t (tool_id) cross join lateral (
    select consumer_id, hour, success, pass_id, '' as key, calls, duration_ms::numeric as total from usage.rollup_v1 where ${ofTool}
    union all
    select consumer_id, hour, success, pass_id, key, 0, total from usage.rollup_measure_v1 where ${ofTool}
  ) k group by 1, 2`;
}

const toolsText = `select tool_id from billing.tool where tool_id > $1 order by tool_id limit 100`;

/** Yields all tools, some at a time. */
export async function* readToolIds(tx: Transaction): AsyncGenerator<string[]> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows: { tool_id: string }[] = await tx.query<{ tool_id: string }>(toolsText, [after]);
    if (rows.length > 0) yield rows.map(({ tool_id: toolId }) => toolId);
    after = rows.at(-1)?.tool_id;
  }
}

export interface SealedUsage {
  readonly period: string;
  /** The period whose close seals it. */
  readonly sealedIn: string;
  readonly toolIds: readonly string[];
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Calls that were counted late are read in the same snapshot as the rollups. */
const insertText = `
with late as (
  select tool_id, sum(counts) as counts from usage.late_usage_v1 where period = $1 and tool_id = any ($3::text[]) group by 1
)
insert into billing.usage_seal (period, tool_id, sealed_in, hour, calls, quantity, hash, late_counts)
select $1, tool_id, $2, s.hour, s.calls, s.quantity, s.hash, coalesce(late.counts, 0)
from (${usageSums('$3::text[]', '$4::timestamptz', '$5::timestamptz')}) s left join late using (tool_id)`;

export async function insertUsageSeals(tx: Transaction, sealed: SealedUsage): Promise<void> {
  const { period, sealedIn, toolIds, sinceMs, untilMs } = sealed;
  await tx.query(insertText, [period, sealedIn, toolIds, toIso(sinceMs), toIso(untilMs)]);
}

const unsealedText = `
select period, tool_id as "toolId" from usage.late_usage_v1 l
where period >= $1 and period < $2 and period in (select c.period from billing.closed_period c)
group by 1, 2 having sum(counts) > coalesce(
  (select max(s.late_counts) from billing.usage_seal s where s.period = l.period and s.tool_id = l.tool_id), 0)
order by 1, 2`;

/** Lists the tools and closed months of which calls were counted since they were sealed. */
export async function listUnsealed(
  tx: Transaction,
  { firstPeriod, beforePeriod }: { readonly firstPeriod: string; readonly beforePeriod: string },
): Promise<{ readonly period: string; readonly toolId: string }[]> {
  return tx.query<{ period: string; toolId: string }>(unsealedText, [firstPeriod, beforePeriod]);
}
