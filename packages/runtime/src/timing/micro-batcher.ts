export interface MicroBatcherOptions<Item> {
  readonly batchItemsMax: number;
  readonly batchBytesMax: number;
  sizeOf(item: Item): number;
  /** Deals with the items and with every failure: it never rejects. */
  run(items: readonly Item[]): Promise<void>;
}

export interface MicroBatcher<Item> {
  add(item: Item): void;
  /** Resolves once everything added so far is done with. */
  idle(): Promise<void>;
}

/**
 * One batch at a time and no lingering: the next leaves when the last is done, with all that came meanwhile. So a lone
 * item waits for nobody, and batches grow with the load by themselves.
 */
export function createMicroBatcher<Item>(options: MicroBatcherOptions<Item>): MicroBatcher<Item> {
  const { run } = options;
  let waiting: Item[] = [];
  let running: Promise<void> | undefined;

  function add(item: Item): void {
    waiting.push(item);
    // Not at once: the other items of this batch request, and the requests that came in with it, go along.
    running ??= new Promise((resolve, reject) => {
      setImmediate(() => void runAll().then(resolve, reject));
    });
  }

  async function runAll(): Promise<void> {
    try {
      while (waiting.length > 0) await run(take());
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
    if (count > 0 && (count === batchItemsMax || bytes > batchBytesMax)) break; // one always goes
    count += 1;
  }
  return count;
}
