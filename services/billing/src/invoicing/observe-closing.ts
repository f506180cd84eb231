import type { Database } from '@tollgate/database/database';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { closableAtMs, duePeriod } from './due-period.ts';
import { findCloseProgress } from './sql-closed-periods.ts';
import { countUnclosedConsumers } from './sql-unclosed-consumers.ts';

export interface ObserveDeps {
  readonly database: Database;
  readonly metrics: Metrics;
}

/** Measures what closing leaves undone. It runs after the close, also after one that failed, and is never work by itself. */
export function createObserveClosing({ database, metrics }: ObserveDeps) {
  const overdue = metrics.gauge(
    'tollgate_billing_period_overdue_seconds',
    'Seconds for which the oldest due period has not been closed, by the watermark; 0 if none is due.',
  );
  const setAside = metrics.gauge(
    'tollgate_billing_unclosed_consumers',
    'Consumers whose invoice could not be made when their period closed.',
  );
  return async function observeClosing(): Promise<number> {
    const progress = await findCloseProgress(database);
    const due = duePeriod(progress);
    overdue.set(due === undefined ? 0 : (progress.countedThroughMs - closableAtMs(due)) / 1_000);
    setAside.set(await countUnclosedConsumers(database));
    return 0;
  };
}
