import type { Transaction } from '@tollgate/runtime/postgres/database';

/**
 * The next accounts that ever called a tool and have no invoice of the period, in the order of their ids. Steps from id to
 * id through the rollups' primary key: one look into it each, however many hours an account has.
 */
const text = `
with recursive consumer (consumer_id) as (
  (select consumer_id from usage.rollup_v1 where consumer_id > $1 order by consumer_id limit 1)
  union all
  select (select r.consumer_id from usage.rollup_v1 r where r.consumer_id > c.consumer_id order by r.consumer_id limit 1)
  from consumer c where c.consumer_id is not null
)
select consumer_id from consumer c
where consumer_id is not null
  and not exists (select from billing.invoice i where i.consumer_id = c.consumer_id and i.period = $2)
limit $3`;

export interface ConsumersAfter {
  readonly afterId: string;
  readonly period: string;
  readonly limit: number;
}

export async function listConsumersToInvoice(
  tx: Transaction,
  { afterId, period, limit }: ConsumersAfter,
): Promise<string[]> {
  const values = [afterId, period, limit];
  const rows = await tx.query<{ consumer_id: string }>({ name: 'list-consumers-to-invoice', text }, values);
  return rows.map((row) => row.consumer_id);
}
