import { toIso } from '@tollgate/kernel/clock';
import { type Queryable, type Transaction, onlyRow } from '@tollgate/database/database';
import type { Micros } from '@tollgate/kernel/money';
import { periodBounds } from '@tollgate/kernel/period';
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

export interface BuildersQuery {
  readonly period: string;
  readonly processor: string;
  readonly afterId: string;
  readonly minimumMicros: Micros;
  readonly limit: number;
}

/** An owed balance is below zero. A builder that has a payout of the period got it before a restart. */
const listBuildersToPayText = `
select l.owner_id as builder_id from billing.ledger_account l
join billing.connected_account a on a.account_id = l.owner_id and a.processor = $2 and ${isPaidOut}
where l.kind = 'builder_payable' and l.owner_id > $3 and l.balance_micros <= -$4::numeric
  and not exists (select from billing.payout p where p.builder_id = l.owner_id and p.period = $1)
order by l.owner_id limit $5`;

/**
 * Lists builders that may get a payout, ordered by id: at least the minimum is payable to them, and their payout
 * accounts are enabled.
 */
export async function listBuildersToPay(tx: Transaction, query: BuildersQuery): Promise<string[]> {
  const { period, processor, afterId, minimumMicros, limit } = query;
  const values = [period, processor, afterId, String(minimumMicros), limit];
  const rows = await tx.query<{ builder_id: string }>(
    { name: 'billing.list_builders_to_pay', text: listBuildersToPayText },
    values,
  );
  return rows.map(({ builder_id: builderId }) => builderId);
}

const nextText = `
select min(period) as next from billing.closed_period
where period > coalesce((select max(period) from billing.payout_day), '')`;

export async function findPayoutProgress(db: Queryable): Promise<PayoutProgress> {
  return onlyRow(await db.query<PayoutProgress>({ name: 'billing.find_payout_progress', text: nextText }));
}

const lastText = 'select max(period) as last from billing.payout_day';

/** The last period whose payout day has ended. */
export async function findLastPayoutDay(db: Queryable): Promise<string | null> {
  return onlyRow(await db.query<{ last: string | null }>({ name: 'billing.find_last_payout_day', text: lastText }))
    .last;
}

const lockText = `select pg_advisory_xact_lock(hashtext('billing.payout_day'))`;

/**
 * Admits one transaction at a time to a payout day, until it ends. A second one sees the payouts that the first
 * committed.
 */
export async function lockPayoutDay(tx: Transaction): Promise<void> {
  await tx.query({ name: 'billing.lock_payout_day', text: lockText });
}

const insertText = `insert into billing.payout_day (period, done_at) values ($1, $2)`;

/** Ends a payout day for good. Money that becomes payable from now on belongs to a later period's payout. */
export async function insertPayoutDay(tx: Transaction, period: string, doneAtMs: number): Promise<void> {
  await tx.query({ name: 'billing.insert_payout_day', text: insertText }, [period, toIso(doneAtMs)]);
}

interface PayoutProgress {
  /** The first closed period whose payouts are still to be scheduled. */
  readonly next: string | null;
}

/**
 * Returns the period whose payout day has come, if any. Payout days come in order, and never before the period's close.
 */
export function duePayoutDay(progress: PayoutProgress, at: { readonly nowMs: number; readonly delayMs: number }) {
  if (progress.next === null) return undefined;
  return payoutDayMs(progress.next, at.delayMs) <= at.nowMs ? progress.next : undefined;
}

/** When the payout day of a period begins. */
export function payoutDayMs(period: string, delayMs: number): number {
  return periodBounds(period).end + delayMs;
}
