import type { Transaction } from '@tollgate/database/database';

/**
 * Steps from id to id as `invoicing/sql-list-consumers-after.ts` does. It also finds consumers that were billed but
 * have no usage any more.
 */
const text = `
with recursive consumer (consumer_id) as (
  select $1::uuid
  union all
  select least(
    (select r.consumer_id from usage.rollup_v1 r where r.consumer_id > c.consumer_id order by r.consumer_id limit 1),
    (select i.consumer_id from billing.invoice i where i.consumer_id > c.consumer_id order by i.consumer_id limit 1)
  )
  from consumer c where c.consumer_id is not null
)
select consumer_id from (select consumer_id from consumer where consumer_id <> $1 limit $2) c order by consumer_id`;

/** Lists the next accounts with usage or invoices, ordered by id. */
export async function listConsumers(tx: Transaction, afterId: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ consumer_id: string }>(text, [afterId, limit]);
  return rows.map((row) => row.consumer_id);
}
