import { toIso } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';
import { isPaidOut } from '../processor/sql-connected-accounts.ts';

export interface DuePayoutsQuery {
  readonly processor: string;
  readonly nowMs: number;
  /** Leaves out payouts that can only go on by an order to the processor (F117). */
  readonly isProcessorAway: boolean;
  readonly afterId: string;
  readonly limit: number;
}

/**
 * The second part finds payouts that waited for a payout account whose builder has an enabled account again. A payout
 * with a transfer of unknown outcome is left out.
 */
const text = `
with due as (
  select p.payout_id from billing.payout p where p.due_at <= $2 and not ($5 and p.status = 'scheduled' and exists (
    select from billing.connected_account a
    where a.account_id = p.builder_id and a.processor = $1 and ${isPaidOut}))
  union all
  select p.payout_id from billing.payout p
  join billing.connected_account a on a.account_id = p.builder_id and a.processor = $1 and ${isPaidOut}
  where p.status = 'failed' and p.due_at is null
)
select payout_id from due
where payout_id > $3 and not exists (
  select from billing.processor_attempt t
  where t.kind = 'transfer' and t.subject_id = due.payout_id and t.status = 'unknown'
)
order by payout_id limit $4`;

/** Lists payouts to transfer or to schedule again, ordered by id. */
export async function listDuePayouts(db: Queryable, query: DuePayoutsQuery): Promise<string[]> {
  const { processor, nowMs, afterId, limit, isProcessorAway } = query;
  const values = [processor, toIso(nowMs), afterId, limit, isProcessorAway];
  const rows = await db.query<{ payout_id: string }>({ name: 'billing.list_due_payouts', text }, values);
  return rows.map(({ payout_id: id }) => id);
}
