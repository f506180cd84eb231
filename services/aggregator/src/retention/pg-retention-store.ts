import { onlyRow, type Database } from '@tollgate/database/database';
import type { RetentionStore } from '../counting/ports.ts';

/** Tables by day. Made and dropped by the owner's functions alone: see migrations/0005_usage.sql for what they refuse. */
export function createPgRetentionStore(database: Database): RetentionStore {
  const known = new Set<string>();
  return {
    async ensureDays(dates) {
      for (const date of dates) {
        if (known.has(date)) continue;
        await database.query('select usage.ensure_day($1)', [date]);
        known.add(date);
      }
    },
    dropEventDaysBefore: (date) => drop('drop_days_before', date),
    dropLogSegmentsBefore: (date) => drop('drop_log_segments_before', date),
  };

  async function drop(functionName: 'drop_days_before' | 'drop_log_segments_before', date: string): Promise<string[]> {
    const rows = await database.query<{ dropped: string[] }>(`select usage.${functionName}($1) as dropped`, [date]);
    known.clear(); // a late event of a dropped day must find its table made again
    return onlyRow(rows).dropped;
  }
}
