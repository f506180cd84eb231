import type { Queryable } from '@tollgate/database/database';
import { dayMs } from '@tollgate/kernel/durations';
import { dateOf } from '@tollgate/kernel/period';
import type { Logger } from '@tollgate/runtime/logging/create-logger';

/** The tables of the log's days, as this process has made or found them. Times are epoch ms. */
export interface Segments {
  /** Waits for the segment of this moment's day. It makes the next day's ahead, so that nobody waits at midnight. */
  ensure(atMs: number): Promise<void>;
  /** An append has failed. The segment may be gone: while a clock stood weeks ahead, retention dropped it. */
  forget(atMs: number): void;
}

export function createSegments(database: Queryable, log: Logger): Segments {
  const ensuredDays = new Map<string, Promise<void>>();

  function ensureDay(day: string): Promise<void> {
    const running = ensuredDays.get(day);
    if (running !== undefined) return running;
    const ensured = database.query('select event_log.ensure_segment($1)', [day]).then(() => undefined);
    ensuredDays.set(day, ensured);
    ensured.catch(() => ensuredDays.delete(day));
    return ensured;
  }

  return {
    async ensure(atMs) {
      const today = dateOf(atMs);
      const isNew = !ensuredDays.has(today);
      await ensureDay(today);
      if (isNew) {
        ensureDay(dateOf(atMs + dayMs)).catch((error: unknown) =>
          log.warn({ err: error }, "could not make tomorrow's log segment ahead"),
        );
      }
    },
    forget: (atMs) => void ensuredDays.delete(dateOf(atMs)),
  };
}
