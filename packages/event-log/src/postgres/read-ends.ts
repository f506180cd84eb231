import type { Clock } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';
import type { WakeUp } from './wake-up.ts';

export interface EndsReaderOptions {
  readonly database: Queryable;
  readonly topic: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly wakeUp: Pick<WakeUp, 'rings'>;
}

export interface Ends {
  /** The offset after the last record, by partition. */
  readonly nextOffsets: ReadonlyMap<number, bigint>;
  /** Epoch ms, read before the query. */
  readonly asOf: number;
  /** How often the wake-up had rung before the query. */
  readonly rings: number;
}

const selectEnds = {
  name: 'event_log.read_ends',
  text: 'select partition, next_offset from event_log.partition where topic = $1',
};

/** Reads where the partitions of a topic end. Who asks while a query runs gets the answer of that query. */
export function createEndsReader({ database, topic, clock, wakeUp }: EndsReaderOptions): () => Promise<Ends> {
  let asked: Promise<Ends> | undefined;

  async function ask(): Promise<Ends> {
    const before = { asOf: clock.now(), rings: wakeUp.rings() };
    const rows = await database.query<{ partition: number; next_offset: bigint }>(selectEnds, [topic]);
    return { ...before, nextOffsets: new Map(rows.map((row) => [row.partition, row.next_offset])) };
  }

  return () => (asked ??= ask().finally(() => (asked = undefined)));
}
