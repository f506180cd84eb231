import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import type { CloseProgress } from './due-period.ts';

interface ProgressRow {
  readonly counted_through: Date;
  readonly last_closed: string | null;
  readonly first_usage: Date | null;
}

/** Finds the first hour by one index look-up per tool: the rollups have no index by hour alone. */
const progressText = `
select coalesce((select counted_through from usage.watermark_v1), 'epoch') as counted_through,
  (select max(period) from billing.closed_period) as last_closed,
  case when not exists (select from billing.closed_period) then (
    select min(first.hour) from billing.tool t cross join lateral (
      select r.hour from usage.rollup_v1 r where r.tool_id = t.tool_id order by r.hour limit 1
    ) as first
  ) end as first_usage`;

export async function findCloseProgress(db: Queryable): Promise<CloseProgress> {
  const row = onlyRow(await db.query<ProgressRow>({ name: 'billing.find_close_progress', text: progressText }));
  return {
    countedThroughMs: row.counted_through.getTime(),
    lastClosed: row.last_closed,
    firstUsageMs: row.first_usage?.getTime() ?? null,
  };
}

const insertText = `insert into billing.closed_period (period, closed_at) values ($1, $2)`;

/** Closes the period for good. Usage that is counted for it from now on is late. */
export async function insertClosedPeriod(tx: Transaction, period: string, closedAtMs: number): Promise<void> {
  await tx.query({ name: 'billing.insert_closed_period', text: insertText }, [period, toIso(closedAtMs)]);
}

const text = `select pg_advisory_xact_lock(hashtext('billing.closing'))`;

/**
 * Admits one closer at a time, until its transaction ends. So numbers have no gaps, and a second closer sees the
 * invoices that the first committed. Throws `unavailable` when the other closer holds the lock longer than the lock
 * timeout.
 */
export async function lockClosing(tx: Transaction): Promise<void> {
  await tx.query({ name: 'billing.lock_closing', text });
}
