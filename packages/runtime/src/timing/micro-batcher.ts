import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@tollgate/kernel/clock';
import { outsideOfSpans } from '@tollgate/telemetry/tracer';

export interface MicroBatcherOptions<Item> {
  readonly batchItemsMax: number;
  readonly batchBytesMax: number;
  /** The least time from the start of a batch to that of the next; by default the next starts when the last has ended. */
  readonly startsEveryMs?: number;
  /** A batch of fewer items is followed at once, so that a few callers who wait for each other do not wait for time. */
  readonly pacedFromItems?: number;
  sizeOf(item: Item): number;
  /** Deals with the items and with every failure: it never rejects. */
  run(items: readonly Item[]): Promise<void>;
}

export interface MicroBatcher<Item> {
  add(item: Item): void;
  /** Resolves once all items added so far have been run. */
  idle(): Promise<void>;
}

/**
 * Runs one batch at a time, without lingering: the next batch starts when the last has ended, with all items that came
 * meanwhile. So a lone item waits for nothing but `startsEveryMs`, and batches grow with the load.
 */
export function createMicroBatcher<Item>(options: MicroBatcherOptions<Item>): MicroBatcher<Item> {
  const { run, startsEveryMs = 0, pacedFromItems = 0 } = options;
  let waiting: Item[] = [];
  let running: Promise<void> | undefined;

  function add(item: Item): void {
    waiting.push(item);
    // Waits for a turn: the other items of this batch request, and the requests that came in with it, go along.
    running ??= new Promise((resolve, reject) => {
      setImmediate(() => void outsideOfSpans(runAll).then(resolve, reject));
    });
  }

  async function runAll(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const nextMs = systemClock.monotonicMs() + startsEveryMs;
        const batch = take();
        await run(batch);
        if (batch.length < pacedFromItems) continue;
        const pauseMs = nextMs - systemClock.monotonicMs();
        if (pauseMs > 0) await sleep(pauseMs);
      }
    } finally {
      running = undefined;
    }
  }

  function take(): Item[] {
    const count = countThatFit(waiting, options);
    const batch = count === waiting.length ? waiting : waiting.slice(0, count);
    waiting = count === waiting.length ? [] : waiting.slice(count);
    return batch;
  }

  return { add, idle: () => running ?? Promise.resolve() };
}

function countThatFit<Item>(items: readonly Item[], options: MicroBatcherOptions<Item>): number {
  const { batchItemsMax, batchBytesMax, sizeOf } = options;
  let bytes = 0;
  let count = 0;
  for (const item of items) {
    bytes += sizeOf(item);
    if (count > 0 && (count === batchItemsMax || bytes > batchBytesMax)) break; // a batch has at least one item
    count += 1;
  }
  return count;
}
