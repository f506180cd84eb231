import { wholeSlice, type TimeSlice } from '@tollgate/runtime/timing/time-slice';
import type { Database } from '@tollgate/database/database';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { isFailureOfRows, createSetAside } from './set-aside.ts';
import { duePeriod, closableAtMs } from './due-period.ts';
import { planConsumers, storeInvoices } from './store-invoices.ts';
import { defaultIssuer } from './party.ts';
import { readLastClosedPeriod } from '../usage/sql-watermark.ts';
import { findCloseProgress, lockClosing } from './sql-closed-periods.ts';
import { listDueUnclosed, type UnclosedConsumer, countUnclosedConsumers } from './sql-unclosed-consumers.ts';
import type { CloseDeps } from './close-due-periods.ts';

const retriesMax = 20; // per pass: each may take a minute

/**
 * Makes the invoices of consumers that a close has set aside, each on its own. The invoice is of the last closed period and
 * bills all that the consumer lacks. Returns how many consumers it closed: none while a period is being closed. The close
 * may have set a consumer aside again, and would not come back to one that was invoiced without its period.
 */
export function createRetryUnclosed({ database, minimumMicros, issuer = defaultIssuer, log }: CloseDeps) {
  const setAside = createSetAside({ database, log });

  return async function retryUnclosed(nowMs: number, slice: TimeSlice = wholeSlice): Promise<number> {
    if (duePeriod(await findCloseProgress(database)) !== undefined) return 0;
    const unclosed = await listDueUnclosed(database, nowMs, retriesMax);
    let closed = 0;
    for (const consumer of unclosed) {
      if (await retry(consumer, nowMs)) closed += 1;
      if (slice.hasTime()) continue;
      slice.leaveRest(); // each that was tried is closed or waits, so the next slice begins with the others
      break;
    }
    return closed;
  };

  async function retry({ consumerId, period }: UnclosedConsumer, nowMs: number): Promise<boolean> {
    try {
      await close(consumerId, nowMs);
      log.info({ consumerId, period }, 'invoiced a consumer that was set aside');
      return true;
    } catch (error) {
      if (!isFailureOfRows(error)) throw error;
      await setAside({ consumerId, period, nowMs, error });
      return false;
    }
  }

  async function close(consumerId: string, nowMs: number): Promise<void> {
    const lastClosed = await database.transaction(readLastClosedPeriod);
    if (lastClosed === null) throw new Error('a consumer is set aside although no period is closed');
    const query = { period: lastClosed, lastClosed, minimumMicros, accountIds: [consumerId] };
    const planned = await database.transaction((tx) => planConsumers(tx, query));
    await database.transaction(async (tx) => {
      await lockClosing(tx);
      await storeInvoices(tx, planned, { period: lastClosed, nowMs, issuer });
    });
  }
}

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
