import type { Transaction } from '@tollgate/database/database';

/** As in list-consumers-after.ts, and those too who are billed what is not counted any more. */
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

/** The next accounts with usage or invoices, in the order of their ids. */
export async function listConsumers(tx: Transaction, afterId: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ consumer_id: string }>(text, [afterId, limit]);
  return rows.map((row) => row.consumer_id);
}
