import type { Transaction } from '@tollgate/runtime/postgres/database';

/**
 * The next accounts that ever called a tool, in the order of their ids. Steps from id to id through the rollups' primary
 * key: one look into it each, however many hours an account has. The limit stands inside, before anything that the planner
 * might make a join of: a join may hand out other rows than the first ones, and those would be passed over.
 */
const text = `
with recursive consumer (consumer_id) as (
  (select consumer_id from usage.rollup_v1 where consumer_id > $1 order by consumer_id limit 1)
  union all
  select (select r.consumer_id from usage.rollup_v1 r where r.consumer_id > c.consumer_id order by r.consumer_id limit 1)
  from consumer c where c.consumer_id is not null
)
select consumer_id,
  exists (select from billing.invoice i where i.consumer_id = c.consumer_id and i.period = $2) as is_invoiced
from (select consumer_id from consumer where consumer_id is not null limit $3) c
order by consumer_id`;

export interface ConsumersAfter {
  readonly afterId: string;
  readonly period: string;
  readonly limit: number;
}

export interface ConsumersToInvoice {
  /** Those without an invoice of the period. */
  readonly consumerIds: readonly string[];
  /** The last account that was looked at; undefined: there was none any more. */
  readonly lastId: string | undefined;
}

export async function listConsumersToInvoice(
  tx: Transaction,
  { afterId, period, limit }: ConsumersAfter,
): Promise<ConsumersToInvoice> {
  const values = [afterId, period, limit];
  const rows = await tx.query<{ consumer_id: string; is_invoiced: boolean }>(
    { name: 'list-consumers-to-invoice', text },
    values,
  );
  const consumerIds = rows.filter((row) => !row.is_invoiced).map((row) => row.consumer_id);
  return { consumerIds, lastId: rows.at(-1)?.consumer_id };
}
