import type { Micros } from '@tollgate/kernel/money';
import type { Database } from '@tollgate/database/database';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { wholeSlice, type TimeSlice } from '@tollgate/runtime/timing/time-slice';
import { isFailureOfRows } from './is-failure-of-rows.ts';
import { duePeriod } from './due-period.ts';
import { planConsumers } from './invoice-batch.ts';
import { defaultIssuer, type Issuer } from './party.ts';
import { createSetAside } from './set-aside.ts';
import { readLastClosedPeriod } from '../usage/sql-last-closed-period.ts';
import { findCloseProgress } from './sql-closed-periods.ts';
import { lockClosing } from './sql-lock-closing.ts';
import { listDueUnclosed, type UnclosedConsumer } from './sql-unclosed-consumers.ts';
import { storeInvoices } from './store-invoices.ts';

export interface RetryDeps {
  readonly database: Database;
  readonly minimumMicros: Micros;
  /** Default: `defaultIssuer`. */
  readonly issuer?: Issuer | undefined;
  readonly log: Logger;
}

const retriesMax = 20; // per pass: each may take a minute

/**
 * Makes the invoices of consumers that a close has set aside, each on its own. The invoice is of the last closed period and
 * bills all that the consumer lacks. Returns how many consumers it closed: none while a period is being closed. The close
 * may have set a consumer aside again, and would not come back to one that was invoiced without its period.
 */
export function createRetryUnclosed({ database, minimumMicros, issuer = defaultIssuer, log }: RetryDeps) {
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
