import type { Database } from '@tollgate/database/database';
import { ensureDay } from './sql-day-tables.ts';

export interface DayTables {
  /** Makes the tables of these dates ('YYYY-MM-DD') that do not exist. Safe to repeat. */
  ensure(dates: readonly string[]): Promise<void>;
  /** Call it after tables were dropped: a late event of a dropped day needs its table again. */
  forget(): void;
}

/** The tables of days. It remembers which exist, so a flush seldom asks the database. */
export function createDayTables(database: Database): DayTables {
  const known = new Set<string>();
  return {
    async ensure(dates) {
      for (const date of dates) {
        if (known.has(date)) continue;
        await ensureDay(database, date);
        known.add(date);
      }
    },
    forget: () => known.clear(),
  };
}
