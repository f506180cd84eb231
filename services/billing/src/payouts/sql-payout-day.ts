import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import type { PayoutProgress } from './due-payout-day.ts';

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
