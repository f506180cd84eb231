import type { Transaction } from '@tollgate/database/database';

/**
 * Steps from id to id through the rollups' primary key: one look-up per account, however many hours it has. The limit
 * stands in the inner select, before anything that the planner could turn into a join. A join may return rows other
 * than the first ones, and the close would skip the consumers between.
 */
const text = `
with recursive consumer (consumer_id) as (
  (select consumer_id from usage.rollup_v1 where consumer_id > $1 order by consumer_id limit 1)
  union all
  select (select r.consumer_id from usage.rollup_v1 r where r.consumer_id > c.consumer_id order by r.consumer_id limit 1)
  from consumer c where c.consumer_id is not null
)
select consumer_id from (select consumer_id from consumer where consumer_id is not null limit $2) c order by consumer_id`;

/** Lists the next accounts that have called a tool, ordered by id. */
export async function listConsumersAfter(tx: Transaction, afterId: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ consumer_id: string }>({ name: 'billing.list_consumers_after', text }, [
    afterId,
    limit,
  ]);
  return rows.map((row) => row.consumer_id);
}

export interface ToolsQuery {
  readonly consumerId: string;
  readonly period: string;
  /** The tool before the first. */
  readonly afterToolId: string;
  readonly limit: number;
}

/** Steps from tool to tool through the rollups' primary key. Only a month that is billed already has billed lines to add. */
const listToolsAfterText = `
with recursive used (tool_id) as (
  (select r.tool_id from usage.rollup_v1 r where r.consumer_id = $1 and r.tool_id > $2 order by r.tool_id limit 1)
  union all
  select (select r.tool_id from usage.rollup_v1 r where r.consumer_id = $1 and r.tool_id > u.tool_id order by r.tool_id limit 1)
  from used u where u.tool_id is not null
), next_used as (
  select tool_id from used where tool_id is not null limit $4
)
select tool_id from (
  select tool_id from next_used
  union
  (select distinct l.tool_id from billing.invoice i join billing.invoice_line l using (invoice_id)
   where i.consumer_id = $1 and i.period >= $3 and coalesce(l.adjustment_of, i.period) = $3 and l.tool_id > $2
   order by 1 limit $4)
) t order by tool_id limit $4`;

/** Lists the next tools that the consumer has called at any time, or that its invoices bill for this period. */
export async function listToolsAfter(tx: Transaction, query: ToolsQuery): Promise<string[]> {
  const { consumerId, period, afterToolId, limit } = query;
  const values = [consumerId, afterToolId, period, limit];
  const rows = await tx.query<{ tool_id: string }>(
    { name: 'billing.list_tools_after', text: listToolsAfterText },
    values,
  );
  return rows.map((row) => row.tool_id);
}
