import { dayMs } from '@tollgate/kernel/durations';
import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import { dateOf } from '@tollgate/kernel/period';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { every } from '@tollgate/runtime/timing/every';
import type { ClockCheck } from '@tollgate/runtime/timing/clock-check';
import type { Service } from '@tollgate/kernel/service';
import type { DayTables } from './day-tables.ts';
import { dropEventDaysBefore, dropLogSegmentsBefore } from './sql-day-tables.ts';

export interface RetentionOptions {
  readonly database: Database;
  readonly dayTables: DayTables;
  readonly eventRetentionDays: number;
  readonly logRetentionDays: number;
  readonly clock: Clock;
  readonly clockCheck: Pick<ClockCheck, 'requireRight'>;
  readonly log: Logger;
}

const everyMs = 60_000;

/**
 * Makes the tables of the days ahead and drops tables past their retention. The log is kept for less time than the
 * events. So a record that the log hands out again always meets the row of its event.
 */
export function createRetention(options: RetentionOptions): Service {
  const keeping = every({ name: 'retention', everyMs, run: () => keepUp(options), log: options.log });
  return {
    name: 'retention',
    async start() {
      await ensureDaysAround(options); // nothing can be counted without them, so the start fails if this fails
      await keeping.start();
    },
    stop: keeping.stop,
  };
}

/** Events of yesterday are still accepted; tomorrow's table exists before midnight. */
async function ensureDaysAround({ dayTables, clock }: RetentionOptions): Promise<void> {
  const now = clock.now();
  await dayTables.ensure([dateOf(now - dayMs), dateOf(now), dateOf(now + dayMs)]);
}

/** Each task fails by itself: a drop waits 100 ms for its lock, then gives up, and the next task still runs. */
async function keepUp(options: RetentionOptions): Promise<void> {
  const { database, dayTables, clock, clockCheck, log, eventRetentionDays, logRetentionDays } = options;
  function before(days: number): string {
    clockCheck.requireRight();
    return dateOf(clock.now() - days * dayMs);
  }
  const tasks = {
    'create the tables of the next days': () => ensureDaysAround(options),
    'drop days of events': async () => dropEventDaysBefore(database, before(eventRetentionDays)),
    'drop segments of the log': async () => dropLogSegmentsBefore(database, before(logRetentionDays)),
  };
  for (const [task, run] of Object.entries(tasks)) {
    try {
      const dropped = (await run()) ?? [];
      if (dropped.length > 0) log.info({ task, dropped }, 'dropped tables past their retention');
    } catch (error) {
      log.warn({ err: error, task }, 'could not create or drop the tables of days; trying again in a minute');
    } finally {
      dayTables.forget(); // a drop that seemed to fail may have happened
    }
  }
}
