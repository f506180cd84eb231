import type pg from 'pg';

/** The log that the events went through, read by itself, so that it shares no mistake with the reader that is being judged. */
export interface JudgedLog {
  /** Waits until every record of it is counted. Only after that can sums be compared. */
  waitUntilDrained(client: pg.Client, options: { withinMs: number }): Promise<void>;
  /** The ids of every record, as often as they are there, some at a time. */
  eachIds(client: pg.Client, onIds: (ids: readonly string[]) => Promise<void>): Promise<void>;
}
