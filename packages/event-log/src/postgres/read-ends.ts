import { setImmediate as soon } from 'node:timers/promises';
import type { Clock } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';
import type { WakeUp } from './wake-up.ts';

export interface EndsReaderOptions {
  readonly database: Queryable;
  readonly topic: string;
  readonly clock: Pick<Clock, 'now' | 'monotonicMs'>;
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

/** Where the partitions of a topic end, for readers at rest. They look at the same times, and so by one statement. */
export interface EndsReader {
  /**
   * Callers that ask in the same turn share one query. No caller gets the answer of a query that began before it asked.
   */
  read(): Promise<Ends>;
  /** The time until all readers at rest look. */
  restMs(): number;
}

const lookEveryMs = 500;
const selectEnds = {
  name: 'event_log.read_ends',
  text: 'select partition, next_offset from event_log.partition where topic = $1',
};

export function createEndsReader({ database, topic, clock, wakeUp }: EndsReaderOptions): EndsReader {
  const openedMs = clock.monotonicMs();
  let asked: Promise<Ends> | undefined;

  async function ask(): Promise<Ends> {
    await soon();
    asked = undefined;
    const before = { asOf: clock.now(), rings: wakeUp.rings() };
    const rows = await database.query<{ partition: number; next_offset: bigint }>(selectEnds, [topic]);
    return { ...before, nextOffsets: new Map(rows.map((row) => [row.partition, row.next_offset])) };
  }

  return {
    read: () => (asked ??= ask()),
    restMs: () => lookEveryMs - ((clock.monotonicMs() - openedMs) % lookEveryMs),
  };
}
