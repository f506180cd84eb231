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
