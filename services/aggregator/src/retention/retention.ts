import { dayMs } from '@tollgate/kernel/durations';
import type { Clock } from '@tollgate/kernel/clock';
import { dateOf } from '@tollgate/kernel/period';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { every } from '@tollgate/runtime/timing/every';
import type { Service } from '@tollgate/kernel/service';
import type { RetentionStore } from '../counting/ports.ts';

export interface RetentionOptions {
  readonly store: RetentionStore;
  readonly eventRetentionDays: number;
  readonly logRetentionDays: number;
  readonly clock: Clock;
  readonly log: Logger;
}

const everyMs = 60_000;

/**
 * Makes the tables of the days ahead and drops those past their retention. The log is kept for less time than the events,
 * so that whatever the log can still hand out again meets its event's row.
 */
export function createRetention(options: RetentionOptions): Service {
  const keeping = every({ name: 'retention', everyMs, run: () => keepUp(options), log: options.log });
  return {
    name: 'retention',
    async start() {
      await ensureDaysAround(options); // without them nothing can be counted, so a failure here is a failed start
      await keeping.start();
    },
    stop: keeping.stop,
  };
}

/** Events of yesterday are still accepted; tomorrow's table is there before midnight. */
async function ensureDaysAround({ store, clock }: RetentionOptions): Promise<void> {
  const now = clock.now();
  await store.ensureDays([dateOf(now - dayMs), dateOf(now), dateOf(now + dayMs)]);
}

/** Each by itself: a drop that gave up after its 100 ms of waiting for a lock must not cost the others their turn. */
async function keepUp(options: RetentionOptions): Promise<void> {
  const { store, clock, log, eventRetentionDays, logRetentionDays } = options;
  const before = (days: number): string => dateOf(clock.now() - days * dayMs);
  const tasks = {
    'make the days ahead': () => ensureDaysAround(options),
    'drop days of events': () => store.dropEventDaysBefore(before(eventRetentionDays)),
    'drop segments of the log': () => store.dropLogSegmentsBefore(before(logRetentionDays)),
  };
  for (const [task, run] of Object.entries(tasks)) {
    try {
      const dropped = (await run()) ?? [];
      if (dropped.length > 0) log.info({ task, dropped }, 'dropped what is past its retention');
    } catch (error) {
      log.warn({ err: error, task }, 'could not keep the day tables; trying again in a minute');
    }
  }
}
