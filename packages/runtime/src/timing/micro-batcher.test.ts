import { describe, expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemClock } from '@tollgate/kernel/clock';
import { createMicroBatcher, type MicroBatcherOptions } from './micro-batcher.ts';

function recording(limits: Partial<MicroBatcherOptions<number>> = {}) {
  const batches: number[][] = [];
  const endings: (() => void)[] = [];
  const batcher = createMicroBatcher<number>({
    batchItemsMax: 1_000,
    batchBytesMax: 1_000,
    ...limits,
    sizeOf: (bytes) => bytes,
    run(items) {
      batches.push([...items]);
      return new Promise((resolve) => void endings.push(resolve));
    },
  });
  const finish = async (): Promise<void> => {
    endings.shift()?.();
    await nextTurn();
  };
  return { batches, batcher, finish };
}

describe('createMicroBatcher', () => {
  it('has one batch in flight; the next takes all that came meanwhile', async () => {
    const { batches, batcher, finish } = recording();
    batcher.add(1);
    await nextTurn();
    for (const item of [2, 3, 4]) batcher.add(item);
    await nextTurn();
    expect(batches).toEqual([[1]]);
    await finish();
    expect(batches).toEqual([[1], [2, 3, 4]]);
  });

  it('cuts batches by number and by bytes, in order, and always takes one', async () => {
    const { batches, batcher, finish } = recording({ batchItemsMax: 2, batchBytesMax: 10 });
    for (const item of [1, 2, 3, 9, 2, 50, 1]) batcher.add(item);
    await nextTurn();
    for (let batch = 0; batch < 6; batch += 1) await finish();
    expect(batches).toEqual([[1, 2], [3], [9], [2], [50], [1]]);
  });

  it('starts a batch so long after the last one started, with all that came meanwhile, and a first one at once', async () => {
    const startsEveryMs = 250; // so long may this thread be without a core before `finish`
    const { batches, batcher, finish } = recording({ startsEveryMs });
    batcher.add(1);
    await nextTurn();
    const startedMs = systemClock.monotonicMs();
    expect(batches).toEqual([[1]]);
    batcher.add(2);
    await finish();
    batcher.add(3);
    while (batches.length === 1) await nextTurn();
    expect(systemClock.monotonicMs() - startedMs).toBeGreaterThan(startsEveryMs - 5); // it started a little before
    expect(batches).toEqual([[1], [2, 3]]);
    await finish();
    await batcher.idle();
  });

  it('lets the batch after a small one start at once, however it is paced', async () => {
    const { batches, batcher, finish } = recording({ startsEveryMs: 60_000, pacedFromItems: 2 });
    for (const item of [1, 2]) {
      batcher.add(item);
      await nextTurn();
      await finish();
    }
    expect(batches).toEqual([[1], [2]]);
  });

  it('is idle once everything added is done', async () => {
    const { batcher, finish } = recording();
    await batcher.idle();
    batcher.add(1);
    let isIdle = false;
    const idle = batcher.idle().then(() => {
      isIdle = true;
    });
    await nextTurn();
    expect(isIdle).toBe(false);
    await finish();
    await idle;
    expect(isIdle).toBe(true);
  });
});
