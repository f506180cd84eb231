import { nilUuid } from '@tollgate/kernel/uuid';
import type { Micros } from '@tollgate/kernel/money';
import type { Database, Transaction } from '@tollgate/database/database';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { wholeSlice, type TimeSlice } from '@tollgate/runtime/timing/time-slice';
import { createBatchSize, type BatchSize } from './outstanding-in-parts.ts';
import { duePeriod, firstPeriodOfLookBack } from './due-period.ts';
import { isFailureOfRows, createSetAside } from './set-aside.ts';
import { planBatch, type Batch, storeInvoices } from './store-invoices.ts';
import { defaultIssuer, type Issuer } from './party.ts';
import { createRestWhenBusy } from './rest-when-busy.ts';
import { insertClosedPeriod, findCloseProgress, lockClosing } from './sql-closed-periods.ts';
import { sealUsage } from '../usage/seal-usage.ts';
import { readLastClosedPeriod } from '../usage/sql-watermark.ts';
import { listConsumersAfter } from './sql-list-consumers-after.ts';

export interface CloseDeps {
  /** Needs at least two connections: one plans while the other stores. */
  readonly database: Database;
  /** An invoice below this amount bills nothing; the amount is carried to the next invoice. */
  readonly minimumMicros: Micros;
  /** Default: `defaultIssuer`. */
  readonly issuer?: Issuer | undefined;
  /** Consumers per transaction: the most work that a crash undoes. Two batches of this size are held in memory. */
  readonly batchConsumersMax?: number;
  /**
   * Rows of usage per batch, by consumer, month, price version and outcome: a bound of the memory. The invoice of one
   * consumer with more is made in parts.
   */
  readonly batchUsageRowsMax?: number;
  readonly log: Logger;
}

export interface ClosedPeriod {
  readonly period: string;
  /** Invoices that this process stored; others may have stored more at the same time. */
  readonly invoices: number;
}

/**
 * Closes every period whose last hour is final, in order, and returns the closed periods. Consumers are taken in
 * batches. One transaction stores a batch's invoices with lines, numbers and ledger postings.
 *
 * The function may be stopped anywhere, started again, or run twice at once. Consumers that have an invoice of the
 * period are skipped. The row that closes the period is written last.
 *
 * While one batch is stored, the next is planned on another connection. The plan stays right while it waits: consumers
 * who got an invoice meanwhile are skipped. Calls that are counted meanwhile are late, and go on the next invoice.
 *
 * Where this process is busy with other things as well, a close rests between batches for as long as one took, or a second.
 *
 * A close ends between two batches when its slice has no time left, though never before its first one. The next call goes
 * on there, at the time at which the close began, so that the invoices are the same as without a cut (F268).
 *
 * A batch that fails is halved, down to the one consumer whose rows it fails for. That consumer is set aside, and all
 * others get their invoices.
 */
export function createCloseDuePeriods(deps: CloseDeps) {
  const { database, batchConsumersMax = 400 } = deps;
  const closePeriod = createClosePeriod(deps);
  let cut: CloseUnderWay | undefined;

  return async function closeDuePeriods(nowMs: number, slice: TimeSlice = wholeSlice): Promise<ClosedPeriod[]> {
    const closed: ClosedPeriod[] = [];
    for (;;) {
      const progress = await findCloseProgress(database);
      const period = duePeriod(progress);
      if (period === undefined) return closed;
      const underWay = cut?.closing.period === period ? cut : begin({ period, lastClosed: progress.lastClosed, nowMs });
      cut = undefined; // a close that fails begins anew
      const hasTime = closed.length === 0 || slice.hasTime();
      if (!hasTime || !(await closePeriod(underWay, slice))) {
        cut = underWay;
        slice.leaveRest();
        return closed;
      }
      closed.push({ period, invoices: underWay.invoices });
    }
  };

  function begin(closing: Closing): CloseUnderWay {
    return { closing, size: createBatchSize(batchConsumersMax), afterId: nilUuid, invoices: 0 };
  }
}

export type CloseDuePeriods = ReturnType<typeof createCloseDuePeriods>;

/** Closes one period, or a slice of it. */
function createClosePeriod({ database, minimumMicros, batchUsageRowsMax, issuer = defaultIssuer, log }: CloseDeps) {
  const bounds = { minimumMicros, ...(batchUsageRowsMax !== undefined && { usageRowsMax: batchUsageRowsMax }) };
  const setAside = createSetAside({ database, log });

  /** False: the slice is over, and consumers are left. */
  return async function closePeriod(underWay: CloseUnderWay, slice: TimeSlice): Promise<boolean> {
    const { closing, size } = underWay;
    const restWhenBusy = createRestWhenBusy();
    let batch = await planAfter(underWay.afterId);
    while (batch.lastId !== undefined) {
      if (batch.afterId !== underWay.afterId && !slice.hasTime()) {
        underWay.afterId = batch.afterId;
        return false;
      }
      const [stored, next] = await Promise.allSettled([store(batch), planAfter(batch.lastId)]);
      if (stored.status === 'rejected') {
        batch = await planAfter(await passOver(batch, stored.reason));
        continue;
      }
      if (next.status === 'rejected') throw next.reason;
      size.grow();
      underWay.invoices += stored.value;
      batch = next.value;
      if (batch.lastId !== undefined) await restWhenBusy();
    }
    await database.transaction((tx) => markClosed(tx, closing));
    return true;

    async function planAfter(afterId: string): Promise<Batch> {
      const limit = size.current();
      try {
        return await database.transaction((tx) => planBatch(tx, { ...closing, ...bounds, afterId, limit }));
      } catch (error) {
        return planAfter(await passOver({ afterId, limit }, error));
      }
    }

    /** Returns the account after which to go on: with smaller batches, or past the one consumer of the batch, set aside. */
    async function passOver({ afterId, limit }: Pick<Batch, 'afterId' | 'limit'>, error: unknown): Promise<string> {
      if (!isFailureOfRows(error)) throw error;
      if (limit > 1) {
        size.halve();
        return afterId;
      }
      const [consumerId] = await database.transaction((tx) => listConsumersAfter(tx, afterId, 1));
      if (consumerId === undefined) throw error;
      await setAside({ ...closing, consumerId, error });
      return consumerId;
    }

    async function store(batch: Batch): Promise<number> {
      return database.transaction(
        async (tx) => {
          const [, isLate] = await Promise.all([lockClosing(tx), isClosed(tx, closing.period)]); // in this order
          return isLate ? 0 : storeInvoices(tx, batch, { ...closing, issuer });
        },
        { startsWithRead: true },
      );
    }
  };
}

interface Closing {
  readonly period: string;
  readonly lastClosed: string | null;
  readonly nowMs: number;
}

interface CloseUnderWay {
  readonly closing: Closing;
  readonly size: BatchSize;
  /** All consumers up to this one have their invoices, or are set aside. */
  afterId: string;
  invoices: number;
}

/** Seals the usage in the transaction that closes the period. */
async function markClosed(tx: Transaction, { period, nowMs }: Closing): Promise<void> {
  await lockClosing(tx);
  if (await isClosed(tx, period)) return;
  await sealUsage(tx, { period, firstPeriod: firstPeriodOfLookBack(period) });
  await insertClosedPeriod(tx, period, nowMs);
}

async function isClosed(tx: Transaction, period: string): Promise<boolean> {
  const last = await readLastClosedPeriod(tx);
  return last !== null && last >= period;
}
