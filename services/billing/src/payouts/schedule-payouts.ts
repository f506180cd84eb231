import { nilUuid } from '@tollgate/kernel/uuid';
import type { Micros } from '@tollgate/kernel/money';
import type { Database, Transaction } from '@tollgate/database/database';
import { grossKeyOf, type FeeScope } from '../fees/fee-scope.ts';
import { duePayoutDay } from './due-payout-day.ts';
import { scheduledPosting } from './payout-postings.ts';
import { planPayout } from './plan-payout.ts';
import { lockBuilderGross } from '../fees/sql-builder-gross.ts';
import { listBuildersToPay } from './sql-list-builders-to-pay.ts';
import { findPayoutProgress, insertPayoutDay, lockPayoutDay } from './sql-payout-day.ts';
import { insertPayouts } from './sql-payouts.ts';
import { postLedger } from '../ledger/sql-ledger.ts';
import { readBuilderBalances } from './sql-read-builder-balances.ts';

export interface PayoutSettings {
  /** From a period's end to its payout day. */
  readonly delayMs: number;
  /** Below this nothing is paid out; it joins the next payout. */
  readonly minimumMicros: Micros;
}

export interface SchedulePayoutsDeps {
  readonly database: Database;
  /** Its name: accounts at another one are no accounts here. */
  readonly processor: string;
  readonly scope: FeeScope;
  readonly settings: PayoutSettings;
  /** Builders a transaction: what is held in memory, and what a crash undoes. */
  readonly batchBuildersMax?: number;
}

/**
 * Works off every payout day that has come, in order: who is owed enough and has an account that takes it gets a payout of
 * the period, of all that is payable. In batches, one transaction each, of payouts with their lines and postings. It may be
 * stopped anywhere and started anew, or run twice at once: who has a payout of the period is passed over, and a payout day
 * is one row, written last. Answers how many payouts were scheduled.
 */
export function createSchedulePayouts(deps: SchedulePayoutsDeps) {
  const { database, processor, scope, settings, batchBuildersMax = 200 } = deps;

  return async function schedulePayouts(nowMs: number): Promise<number> {
    let scheduled = 0;
    for (;;) {
      const period = duePayoutDay(await findPayoutProgress(database), { nowMs, delayMs: settings.delayMs });
      if (period === undefined) return scheduled;
      scheduled += await workOff(period, nowMs);
    }
  };

  async function workOff(period: string, nowMs: number): Promise<number> {
    let scheduled = 0;
    let afterId: string | undefined = nilUuid;
    while (afterId !== undefined) {
      const batch: Batch = { period, nowMs, afterId };
      const done = await database.transaction((tx) => scheduleBatch(tx, batch));
      scheduled += done.scheduled;
      afterId = done.lastId;
    }
    return scheduled;
  }

  async function scheduleBatch(tx: Transaction, { period, nowMs, afterId }: Batch): Promise<BatchDone> {
    await lockPayoutDay(tx);
    const { next } = await findPayoutProgress(tx);
    if (next !== period) return { scheduled: 0, lastId: undefined }; // another has worked it off
    const { minimumMicros } = settings;
    const which = { period, processor, afterId, minimumMicros, limit: batchBuildersMax };
    const builderIds = await listBuildersToPay(tx, which);
    if (builderIds.length === 0) {
      await insertPayoutDay(tx, period, nowMs);
      return { scheduled: 0, lastId: undefined };
    }
    return { scheduled: await scheduleFor(tx, builderIds, { period, nowMs, afterId }), lastId: builderIds.at(-1) };
  }

  async function scheduleFor(tx: Transaction, builderIds: readonly string[], batch: Batch): Promise<number> {
    const { period, nowMs } = batch;
    const grossKey = grossKeyOf(scope, period);
    const gross = await lockBuilderGross(
      tx,
      builderIds.map((builderId) => ({ builderId, grossKey })),
    );
    const balancesOf = await readBuilderBalances(tx, builderIds); // after the lock: nothing is released or refunded now
    const payouts = builderIds
      .map((builderId) => ({ builderId, balances: balancesOf(builderId), gross: gross.get(builderId) ?? new Map() }))
      .map((books) => planPayout({ ...books, period, nowMs, minimumMicros: settings.minimumMicros }))
      .filter((payout) => payout !== undefined);
    await insertPayouts(tx, payouts);
    const postings = payouts.map((payout) => scheduledPosting(payout, nowMs));
    await postLedger(tx, postings);
    return payouts.length;
  }
}

interface Batch {
  readonly period: string;
  readonly nowMs: number;
  readonly afterId: string;
}

interface BatchDone {
  readonly scheduled: number;
  /** Undefined: there was nobody left, and the payout day is done. */
  readonly lastId: string | undefined;
}
