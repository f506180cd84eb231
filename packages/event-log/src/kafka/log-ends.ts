import type { Clock } from '@tollgate/kernel/clock';
import type { Admin } from 'kafkajs';
import type { SubscribeOptions } from '../event-log.ts';
import { recordsGone } from '../records-gone.ts';
import type { Renewable } from './renewable.ts';

interface PartitionEnds {
  /** The first offset that the log still has. */
  readonly low: bigint;
  /** The offset after the last record that every in-sync replica has. */
  readonly high: bigint;
}

export interface LogEnds {
  /** Epoch ms and monotonic ms, both read before the request to Kafka. */
  readonly asOf: number;
  readonly askedMs: number;
  /** Every partition of the topic. */
  readonly partitions: ReadonlyMap<number, PartitionEnds>;
}

export interface LogEndsWatch {
  /** The ends as they are now or later. */
  look(): Promise<LogEnds>;
  /** Looks, unless the last look is recent. */
  lookIfStale(): Promise<void>;
}

export interface LogEndsWatchOptions extends Pick<SubscribeOptions, 'topic' | 'onPartitions'> {
  readonly admin: Renewable<Admin>;
  readonly clock: Clock;
}

/**
 * How old a look may be while batches are handed out. A record of a new partition is appended within the append deadline
 * after its receipt. The watermark passes that receipt time at the earliest one clock skew later. Unless we know the
 * partition by then, the watermark passes over its record.
 */
const staleAfterMs = 1_000;

/** Looks where the topic's partitions begin and end. It announces new partitions before any caller gets the look. */
export function createLogEndsWatch({ topic, onPartitions, admin, clock }: LogEndsWatchOptions): LogEndsWatch {
  let running: Promise<LogEnds> | undefined;
  let askedMs = Number.NEGATIVE_INFINITY;
  let partitionsAnnounced = 0;

  return {
    async look() {
      await running?.catch(() => undefined); // it began before this call; all waiting callers share the next look
      running ??= lookNow().finally(() => (running = undefined));
      return running;
    },
    async lookIfStale() {
      if (clock.monotonicMs() - askedMs > staleAfterMs) await this.look();
    },
  };

  async function lookNow(): Promise<LogEnds> {
    const ends = await readLogEnds(admin, topic, clock);
    if (ends.partitions.size > partitionsAnnounced) {
      await onPartitions?.(ends.partitions.size);
      partitionsAnnounced = ends.partitions.size;
    }
    askedMs = ends.askedMs;
    return ends;
  }
}

/**
 * How long every look must find the log's end before the cursor. While leaders change, a broker may answer an end
 * before the cursor. It no longer leads, or does not know yet how far all replicas are. A broker that has lost the others
 * believes for half a minute that it leads, and on a busy machine each look may reach that broker. So this is longer.
 */
const shorterForMs = 45_000;

/** Throws RecordsGone when the log begins after the cursor, or keeps ending before it. `ends` must be read after the cursor. */
export type RefuseGap = (from: ReadFrom, ends: LogEnds) => void;

export function createGapCheck(topic: string): RefuseGap {
  const shorterSince = new Map<number, number>();

  return function refuseGap({ partition, cursor }, { partitions, askedMs }) {
    const found = partitions.get(partition);
    if (found === undefined || found.low > cursor) throw recordsGone({ topic, partition, cursor, found: found?.low });
    if (found.high >= cursor) {
      shorterSince.delete(partition);
      return;
    }
    const since = shorterSince.get(partition) ?? askedMs;
    shorterSince.set(partition, since);
    if (askedMs - since >= shorterForMs) throw recordsGone({ topic, partition, cursor, found: found.high });
    throw new Error(`partition ${partition} of ${topic} is said to end at ${found.high}, and was read up to ${cursor}`);
  };
}

interface ReadFrom {
  readonly partition: number;
  readonly cursor: bigint;
}

/** Asks for the topic's partitions anew, and then their leaders for the ends. */
export async function readLogEnds(admin: Renewable<Admin>, topic: string, clock: Clock): Promise<LogEnds> {
  const asOf = clock.now();
  const askedMs = clock.monotonicMs();
  try {
    const ends = await (await admin.get()).fetchTopicOffsets(topic);
    const partitions = new Map<number, PartitionEnds>();
    for (const { partition, low, high } of ends) partitions.set(partition, { low: BigInt(low), high: BigInt(high) });
    return { asOf, askedMs, partitions };
  } catch (error) {
    admin.drop();
    throw error;
  }
}
