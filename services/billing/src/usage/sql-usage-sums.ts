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
