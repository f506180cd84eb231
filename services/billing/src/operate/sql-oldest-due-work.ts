import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable } from '@tollgate/database/database';
import { collectableStatuses } from '../collection/collectable.ts';
import { duePayoutDay, payoutDayMs } from '../payouts/due-payout-day.ts';
import { findPayoutProgress } from '../payouts/sql-payout-day.ts';

/** Since when the oldest work of a kind is due, in milliseconds since the epoch. Null: none is. */
export interface OldestDueWork {
  readonly charge: number | null;
  readonly transfer: number | null;
  readonly past_due: number | null;
  readonly payout_day: number | null;
}

/** Due work of a suspended account waits for the operator, and an order of unknown outcome has a figure of its own. */
const mayGoOn = (accountId: string, kind: string, subjectId: string): string => `
  not exists (select from auth.account_suspension_v1 s where s.account_id = ${accountId} and s.resumed_at is null)
  and not exists (select from billing.processor_attempt a
    where a.kind = '${kind}' and a.subject_id = ${subjectId} and a.status = 'unknown')`;

const text = `
select
  (select collect_at from billing.invoice i
    where collect_at <= $1 and status = any ($2) and ${mayGoOn('i.consumer_id', 'charge', 'i.invoice_id')}
    order by collect_at limit 1) as charge,
  (select due_at from billing.payout p where due_at <= $1 and ${mayGoOn('p.builder_id', 'transfer', 'p.payout_id')}
    order by due_at limit 1) as transfer,
  (select min(due_at) from billing.invoice i where status = 'open' and due_at <= $1 and not exists (
    select from billing.held_invoice h where h.invoice_id = i.invoice_id and h.confirmed_at is null)) as past_due`;

/** Reads the oldest due work of each kind that could be done now. Each part reads an index. */
export async function readOldestDueWork(
  db: Queryable,
  { nowMs, payoutDelayMs: delayMs }: { readonly nowMs: number; readonly payoutDelayMs: number },
): Promise<OldestDueWork> {
  const statement = { name: 'billing.read_oldest_due_work', text };
  const values = [toIso(nowMs), collectableStatuses];
  const row = onlyRow(await db.query<Record<'charge' | 'transfer' | 'past_due', Date | null>>(statement, values));
  const msOf = (time: Date | null) => time?.getTime() ?? null;
  const period = duePayoutDay(await findPayoutProgress(db), { nowMs, delayMs });
  const payoutDay = period === undefined ? null : payoutDayMs(period, delayMs);
  return {
    charge: msOf(row.charge),
    transfer: msOf(row.transfer),
    past_due: msOf(row.past_due),
    payout_day: payoutDay,
  };
}
