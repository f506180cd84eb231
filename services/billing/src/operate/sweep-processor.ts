import { dayMs } from '@tollgate/kernel/durations';
import { isAppError } from '@tollgate/kernel/app-error';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Database } from '@tollgate/database/database';
import { listObjectsToReread, readSweep, writeSweep, type ObjectToReread, type Sweep } from './sql-processor-sweep.ts';
import type { ApplyWebhooksDeps } from '../processor/apply-webhooks.ts';
import type { Processor } from '../processor/processor.ts';
import type { DueStep } from './run-due-work.ts';

export interface SweepDeps {
  readonly database: Database;
  readonly processor: Pick<Processor, 'name' | 'disputes'>;
  /** What a webhook would have done. */
  readonly refresh: ApplyWebhooksDeps['refresh'];
  readonly log: Logger;
  readonly batchMax?: number;
}

const postponeMs = 600_000;
/** A month's invoice is at most as old. */
const customersLookBackMs = 35 * dayMs;
/** Beyond the last sweep: for what took its time there. */
const movementsLookBackMs = 7 * dayMs;
const start = { kind: '', id: '' };

/**
 * Finds what webhooks missed (F65): once a day all that the processor may have told of is read again, as if it had, and the
 * disputes that it has are gone through. In slices, so that other work has its turn, and what was begun goes on after a
 * crash; where the processor cannot be reached it waits. Safe to run twice and at once.
 */
export function createSweepProcessor(deps: SweepDeps): DueStep {
  const { database, processor, refresh, log, batchMax = 200 } = deps;

  return async function sweepProcessor(nowMs) {
    const sweep = (await readSweep(database, processor.name)) ?? { dueAtMs: nowMs, after: start, sweptAtMs: undefined };
    if (sweep.dueAtMs > nowMs) return 0;
    try {
      await writeSweep(database, processor.name, await goOn(sweep, nowMs));
      return 1;
    } catch (error) {
      if (!isAppError(error, 'unavailable')) throw error;
      log.warn({ err: error }, 'the processor cannot be reached for the daily sweep; it goes on later');
      await writeSweep(database, processor.name, { ...sweep, dueAtMs: nowMs + postponeMs });
      return 0;
    }
  };

  /** One slice; after the last one, the next day's begins anew. */
  async function goOn(sweep: Sweep, nowMs: number): Promise<Sweep> {
    const sinceMs = (sweep.sweptAtMs ?? nowMs) - movementsLookBackMs;
    const objects = await listObjectsToReread(database, {
      processor: processor.name,
      customersSinceMs: nowMs - customersLookBackMs,
      attemptsSinceMs: sinceMs,
      after: sweep.after,
      limit: batchMax,
    });
    for (const object of objects) await reread(object);
    const last = objects.at(-1);
    if (last && objects.length === batchMax) return { ...sweep, after: last };
    const untilMs = nowMs + 1; // what was opened right now, too
    for await (const { objectId } of processor.disputes.list({ sinceMs, untilMs }))
      await reread({ kind: 'dispute', id: objectId });
    return { dueAtMs: nowMs + dayMs, after: start, sweptAtMs: nowMs };
  }

  /** One that fails holds up no other; weather does, for it is the same for all. */
  async function reread({ kind, id }: ObjectToReread): Promise<void> {
    try {
      await refresh[kind](id);
    } catch (error) {
      if (isAppError(error, 'unavailable')) throw error;
      log.error(
        { kind, object: id, err: error },
        'could not read again what the processor has; tomorrow’s sweep will try',
      );
    }
  }
}
