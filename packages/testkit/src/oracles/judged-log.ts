import type pg from 'pg';

/** The log under judgement, read by code of its own that shares no mistake with the product's reader. */
export interface JudgedLog {
  /** Waits until every record is counted. Sums can be compared only after that. */
  waitUntilDrained(client: pg.Client, options: { withinMs: number }): Promise<void>;
  /** Passes on the id of every record, repeats included, some at a time. */
  eachIds(client: pg.Client, onIds: (ids: readonly string[]) => Promise<void>): Promise<void>;
}

/** The event id in a record of the log. */
export function eventIdOf(record: string): string {
  return (JSON.parse(record) as { event_id: string }).event_id; // the load sends only events
}
