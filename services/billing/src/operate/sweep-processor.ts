import { dayMs } from '@tollgate/kernel/durations';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Database } from '@tollgate/database/database';
import { listObjectsToReread, readSweep, writeSweep, type ObjectToReread, type Sweep } from './sql-processor-sweep.ts';
import type { ApplyWebhooksDeps } from '../processor/apply-webhooks.ts';
import { isUnanswered, type OwnPayout, type Processor } from '../processor/processor.ts';
import { findUnbookedOwnPayouts } from '../processor/sql-own-payouts.ts';
import { wholeSlice, type TimeSlice } from '@tollgate/runtime/timing/time-slice';
import type { DueStep } from './run-due-work.ts';

export interface SweepDeps {
  readonly database: Database;
  readonly processor: Pick<Processor, 'name' | 'disputes' | 'refunds' | 'ownPayouts'>;
  /** Reads one object again, as after a webhook. */
  readonly refresh: ApplyWebhooksDeps['refresh'];
  readonly log: Logger;
  readonly batchMax?: number;
}

const postponeMs = 600_000;
/** Longer than a month, so that each customer's last invoice lies within. */
const customersLookBackMs = 35 * dayMs;
/** Beyond the last sweep, since the processor may settle days later. */
const movementsLookBackMs = 7 * dayMs;
const start = { kind: '', id: '' };

/**
 * Finds changes whose webhooks were lost (F65). Once a day, it reads every object again that may have changed, and
 * lists the processor's disputes, refunds and payouts of the platform. It works in slices, so that other work gets its turn,
 * and continues after a crash. If the processor cannot be reached, it waits. Safe to run twice at once.
 */
export function createSweepProcessor(deps: SweepDeps): DueStep {
  const { database, processor, refresh, log, batchMax = 200 } = deps;

  return async function sweepProcessor(nowMs, slice = wholeSlice) {
    const sweep = (await readSweep(database, processor.name)) ?? { dueAtMs: nowMs, after: start, sweptAtMs: undefined };
    if (sweep.dueAtMs > nowMs) return 0;
    try {
      await writeSweep(database, processor.name, await goOn(sweep, nowMs, slice));
      return 1;
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      log.warn({ err: error }, 'the processor cannot be reached; the daily sweep goes on later');
      await writeSweep(database, processor.name, { ...sweep, dueAtMs: nowMs + postponeMs });
      return 0;
    }
  };

  /** Sweeps one slice. After the last slice, the next sweep is a day later. */
  async function goOn(sweep: Sweep, nowMs: number, slice: TimeSlice): Promise<Sweep> {
    const sinceMs = (sweep.sweptAtMs ?? nowMs) - movementsLookBackMs;
    const objects = await listObjectsToReread(database, {
      processor: processor.name,
      customersSinceMs: nowMs - customersLookBackMs,
      attemptsSinceMs: sinceMs,
      after: sweep.after,
      limit: batchMax,
    });
    for (const object of objects) {
      await reread(object);
      if (!slice.hasTime()) return { ...sweep, after: object };
    }
    const last = objects.at(-1);
    if (last && objects.length === batchMax) return { ...sweep, after: last };
    const window = { sinceMs, untilMs: nowMs + 1 }; // includes what happened in this millisecond
    for await (const { objectId } of processor.disputes.list(window)) await reread({ kind: 'dispute', id: objectId });
    for await (const { objectId, attemptId } of processor.refunds.list(window))
      if (attemptId === undefined) await reread({ kind: 'refund', id: objectId });
    await rereadOwnPayouts(nowMs + 1);
    return { dueAtMs: nowMs + dayMs, after: start, sweptAtMs: nowMs };
  }

  /**
   * Reads the payouts of all time: they are few, a bank may return one weeks later, and those of before they were
   * booked count too.
   */
  async function rereadOwnPayouts(untilMs: number): Promise<void> {
    const payouts: OwnPayout[] = [];
    for await (const payout of processor.ownPayouts.list({ sinceMs: 0, untilMs }))
      if (payout.currency === 'usd') payouts.push(payout);
    for (const id of await findUnbookedOwnPayouts(database, processor.name, payouts))
      await reread({ kind: 'own_payout', id });
  }

  /** An object that fails does not hold up the others. Weather does, since it affects all of them. */
  async function reread({ kind, id }: ObjectToReread): Promise<void> {
    try {
      await refresh[kind](id);
    } catch (error) {
      if (isUnanswered(error)) throw error;
      log.error(
        { kind, object: id, err: error },
        'could not read an object of the processor again; tomorrow’s sweep tries again',
      );
    }
  }
}
