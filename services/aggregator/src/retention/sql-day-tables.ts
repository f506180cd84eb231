import { onlyRow, type Queryable } from '@tollgate/database/database';

// Only the owner's functions make and drop tables of days: see migrations/0007_usage_events.sql for what they refuse.

export async function ensureDay(db: Queryable, date: string): Promise<void> {
  await db.query('select usage.ensure_day($1)', [date]);
}

/** Names the tables it dropped. A day stays while, by the watermark, an event of it may still be on its way. */
export async function dropEventDaysBefore(db: Queryable, date: string): Promise<string[]> {
  return onlyRow(await db.query<{ dropped: string[] }>('select usage.drop_days_before($1) as dropped', [date])).dropped;
}

/** Names the tables it dropped. A segment stays while any of its records is not counted. */
export async function dropLogSegmentsBefore(db: Queryable, date: string): Promise<string[]> {
  const text = 'select usage.drop_log_segments_before($1) as dropped';
  return onlyRow(await db.query<{ dropped: string[] }>(text, [date])).dropped;
}
