import { nilUuid } from '@tollgate/kernel/uuid';
import { micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import { wholeSlice, type TimeSlice } from '@tollgate/runtime/timing/time-slice';
import { grossKeyOf } from '../fees/fee.ts';
import {
  duePayoutDay,
  listBuildersToPay,
  findPayoutProgress,
  insertPayoutDay,
  lockPayoutDay,
} from './sql-list-due-payouts.ts';
import { scheduledPosting } from './payout-postings.ts';
import { planPayout } from './plan-payout.ts';
import { readHold } from './read-hold.ts';
import { lockBuilderGross } from '../fees/sql-builder-gross.ts';
import { readLaterMoney, readBuilderBalances } from './sql-read-builder-balances.ts';
import { insertPayouts } from './sql-payouts.ts';
import { postLedger } from '../ledger/sql-ledger.ts';
import type { PayoutsDeps } from './payout.ts';

/**
 * Schedules the payouts of every payout day that has come, in order. Returns how many payouts it scheduled. A builder
 * gets a payout of all its payable money of months up to the day's if that reaches the minimum and its payout account is
 * enabled. Days that were passed over so get the rows that they would have had, and no money leaves before its own day.
 *
 * One transaction stores a batch of payouts with their lines and postings. The function may be stopped anywhere,
 * started again, or run twice at once. Builders that have a payout of the period are skipped. The row that ends the
 * payout day is written last.
 */
export function createSchedulePayouts(deps: PayoutsDeps) {
  const { database, scope, settings, batchBuildersMax = 200 } = deps;
  const { name: processor } = deps.processor;

  /** The builder behind whom the payout day goes on. */
  let place: { readonly period: string; readonly afterId: string } | undefined;

  return async function schedulePayouts(nowMs: number, slice: TimeSlice = wholeSlice): Promise<number> {
    let scheduled = 0;
    for (;;) {
      const period = duePayoutDay(await findPayoutProgress(database), { nowMs, delayMs: settings.delayMs });
      if (period === undefined) return scheduled;
      const afterId = place?.period === period ? place.afterId : nilUuid;
      const { scheduled: more, lastId } = await database.transaction((tx) =>
        scheduleBatch(tx, { period, nowMs, afterId }),
      );
      scheduled += more;
      place = lastId === undefined ? undefined : { period, afterId: lastId };
      if (slice.hasTime()) continue;
      slice.leaveRest();
      return scheduled;
    }
  };

  async function scheduleBatch(tx: Transaction, { period, nowMs, afterId }: Batch): Promise<BatchResult> {
    await lockPayoutDay(tx);
    const { next } = await findPayoutProgress(tx);
    if (next !== period) return { scheduled: 0, lastId: undefined }; // another run has ended this payout day
    const { minimumMicros } = settings;
    const query = { period, processor, afterId, minimumMicros, limit: batchBuildersMax };
    const builderIds = await listBuildersToPay(tx, query);
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
    const balancesOf = await readBuilderBalances(tx, builderIds); // after the lock, so that no release or refund follows
    const laterOf = await readLaterMoney(tx, { builderIds, period });
    const holdOf = await readHold(tx, { builderIds, young: settings.young, nowMs });
    const payouts = builderIds
      .map((builderId) => {
        const [balances, later] = [balancesOf(builderId), laterOf(builderId)];
        const holdMicros = holdOf(builderId, micros(balances.payableMicros - later.earningMicros));
        return { builderId, balances, later, holdMicros, gross: gross.get(builderId) ?? new Map() };
      })
      .map((books) => planPayout({ ...books, period, nowMs, minimumMicros: settings.minimumMicros }))
      .filter((payout) => payout !== undefined);
    await insertPayouts(tx, period, payouts);
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

interface BatchResult {
  readonly scheduled: number;
  /** Undefined if no builder was left: the payout day has ended. */
  readonly lastId: string | undefined;
}
