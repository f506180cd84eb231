import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { every } from '@tollgate/runtime/timing/every';
import type { Service } from '@tollgate/kernel/service';
import { countedThrough, type WatermarkRules } from './counted-through.ts';
import type { PartitionWatermark, UsageStore } from './ports.ts';

export interface Watermarks extends Service {
  /** The partition is counted up to its end, which was asked for after `asOf`. */
  noteCaughtUp(partition: number, nextOffset: bigint, asOf: number): void;
  /** One round: what has been noted since the last one. While it runs, a round is made every second. */
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
/** More than passes between two writes. */
const jumpMs = 5_000;

/** Moves the watermarks of idle partitions, all in one statement a second instead of one each time a partition is looked at. */
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
      // The sandbox's clock was moved, and whoever moved it is waiting.
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
      // The next look at each partition, within a second, brings newer ones.
      log.warn({ err: error }, 'could not move the watermark; trying again');
    }
  }
}
