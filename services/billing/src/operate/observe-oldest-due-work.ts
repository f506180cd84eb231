import type { Queryable } from '@tollgate/database/database';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { readOldestDueWork } from './sql-oldest-due-work.ts';

export interface OldestDueWorkDeps {
  readonly database: Queryable;
  readonly metrics: Metrics;
  /** From a period's end to its payout day. */
  readonly payoutDelayMs: number;
}

/** Measures for how long the oldest work of each kind has been due. Without it, work that gets no turn is seen by nobody. */
export function createObserveOldestDueWork({ database, metrics, payoutDelayMs }: OldestDueWorkDeps) {
  const oldestDue = metrics.gauge(
    'tollgate_billing_oldest_due_work_age_seconds',
    'Time for which the oldest due work of each kind has waited; 0 if there is none.',
    ['kind'],
  );
  return async function observeOldestDueWork(nowMs: number): Promise<void> {
    for (const [kind, sinceMs] of Object.entries(await readOldestDueWork(database, { nowMs, payoutDelayMs })))
      oldestDue.set({ kind }, sinceMs === null ? 0 : (nowMs - sinceMs) / 1_000);
  };
}
