import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { every } from '@tollgate/runtime/timing/every';
import type { Service } from '@tollgate/kernel/service';
import { countedThrough, type WatermarkRules } from './counted-through.ts';
import type { PartitionWatermark, UsageStore } from './ports.ts';

export interface Watermarks extends Service {
  /** Notes that the partition is counted up to its end. The end was read after `asOf` (epoch ms). */
  noteCaughtUp(partition: number, nextOffset: bigint, asOf: number): void;
  /** Writes what was noted since the last write. While the service runs, it does so every second. */
  writeNoted(): Promise<void>;
}

export interface WatermarksDeps {
  readonly store: UsageStore;
  readonly topic: string;
  readonly rules: WatermarkRules;
  readonly clock: Clock;
  readonly log: Logger;
}

const writeEveryMs = 1_000;
/** A watermark this far ahead of the last written watermark has jumped. */
const jumpMs = 5_000;

/**
 * Moves the watermarks of idle partitions: one statement per second for all of them, instead of a statement per look at
 * a partition.
 */
export function createWatermarks({ store, topic, rules, clock, log }: WatermarksDeps): Watermarks {
  const noted = new Map<number, PartitionWatermark>();
  const written = new Map<number, number>();
  const writing = every({ name: 'watermarks', everyMs: writeEveryMs, log, run: write });

  return {
    name: 'watermarks',
    start: writing.start,
    stop: writing.stop,
    noteCaughtUp(partition, nextOffset, asOf) {
      const through = countedThrough(asOf, clock.now(), rules);
      noted.set(partition, { partition, nextOffset, countedThrough: through });
      // The sandbox's clock was moved, and its mover waits for the watermark.
      if (through - (written.get(partition) ?? through) > jumpMs) void writing.runNow();
    },
    writeNoted: writing.runNow,
  };

  async function write(): Promise<void> {
    if (noted.size === 0) return;
    const watermarks = [...noted.values()].sort((a, b) => a.partition - b.partition);
    noted.clear();
    try {
      await store.moveWatermarks(topic, watermarks);
      for (const { partition, countedThrough: through } of watermarks) written.set(partition, through);
    } catch (error) {
      // The reader looks at each partition again within a second, and notes newer ones.
      log.warn({ err: error }, 'could not move the watermark; trying again');
    }
  }
}
