import type { Clock } from '@tollgate/kernel/clock';
import type { Admin } from 'kafkajs';
import type { SubscribeOptions } from '../event-log.ts';
import { recordsGone } from '../records-gone.ts';
import type { Renewable } from './renewable.ts';

interface PartitionEnds {
  /** The first offset that is still there. */
  readonly low: bigint;
  /** One after the last record that every in-sync replica has. */
  readonly high: bigint;
}

export interface LogEnds {
  /** Epoch ms, and monotonic ms: taken before Kafka was asked. */
  readonly asOf: number;
  readonly askedMs: number;
  /** Of every partition that the topic has. */
  readonly partitions: ReadonlyMap<number, PartitionEnds>;
}

export interface LogEndsWatch {
  /** Asks, at the earliest now. */
  look(): Promise<LogEnds>;
  /** Asks unless that was done a moment ago. */
  lookIfStale(): Promise<void>;
}

export interface LogEndsWatchOptions extends Pick<SubscribeOptions, 'topic' | 'onPartitions'> {
  readonly admin: Renewable<Admin>;
  readonly clock: Clock;
}

/**
 * How old a look may be while batches are handed out. A record of a new partition is appended at most the append deadline
 * after its receipt, and the watermark passes that receipt time the clock skew later at the earliest: within this time
 * the partition must be known, or the watermark would pass over it.
 */
const staleAfterMs = 1_000;

/** Where the topic's partitions begin and end, and how many there are: new ones are told before anybody learns more. */
export function createLogEndsWatch({ topic, onPartitions, admin, clock }: LogEndsWatchOptions): LogEndsWatch {
  let running: Promise<LogEnds> | undefined;
  let askedMs = Number.NEGATIVE_INFINITY;
  let partitionsTold = 0;

  return {
    async look() {
      await running?.catch(() => undefined); // it began too early for us; the next is shared by all who waited
      running ??= lookNow().finally(() => (running = undefined));
      return running;
    },
    async lookIfStale() {
      if (clock.monotonicMs() - askedMs > staleAfterMs) await this.look();
    },
  };

  async function lookNow(): Promise<LogEnds> {
    const ends = await readLogEnds(admin, topic, clock);
    if (ends.partitions.size > partitionsTold) {
      await onPartitions?.(ends.partitions.size);
      partitionsTold = ends.partitions.size;
    }
    askedMs = ends.askedMs;
    return ends;
  }
}

/**
 * How long a log must end before the cursor at every look. While leaders change, a broker that no longer leads, or does
 * not know yet how far all replicas are, tells an end that lies behind what was read; who leads is asked of any broker
 * each time, so within this time some look finds one that knows.
 */
const shorterForMs = 10_000;

/** Throws RecordsGone when the log begins after the cursor, or keeps on ending before it. Ends that are younger than the cursor! */
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

/** Asks the leaders of all partitions; which partitions there are is asked for afresh each time. */
async function readLogEnds(admin: Renewable<Admin>, topic: string, clock: Clock): Promise<LogEnds> {
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
