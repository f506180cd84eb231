import type { SeededRandom } from '@tollgate/testkit/seeded-random';
import { CursorMoved, type UsageStore } from '../../../src/counting/ports.ts';
import type { CountingTruth } from './counting-truth.ts';
import type { SimulatedStore } from './simulated-store.ts';
import type { Fate, SimulatedProcess, Turns } from './turns.ts';

export interface StoreWorld {
  readonly random: SeededRandom;
  readonly turns: Turns;
  readonly store: SimulatedStore;
  readonly truth: CountingTruth;
  /** No call fails any more. */
  isHealed: boolean;
  note(what: string): void;
}

/** The store as one process reaches it: calls are lost, take effect late, or their answers are lost, a COMMIT's among them. */
export function createUnreliableStore(world: StoreWorld, process: SimulatedProcess): UsageStore {
  const { random, turns, store, truth } = world;
  const call = <T>(effect: () => Promise<T>): Promise<T> => turns.call(process, effect, drawFate());

  return {
    registerPartitions: (topic, partitions) =>
      call(async () => {
        await store.registerPartitions(topic, partitions);
        truth.watermark(await store.watermark());
      }),
    cursorOf: (topic, partition) => call(() => store.cursorOf(topic, partition)),
    moveWatermarks: (topic, watermarks) =>
      call(async () => {
        await store.moveWatermarks(topic, watermarks);
        truth.watermark(await store.watermark());
      }),
    commit: (flush, countedThroughMs) =>
      call(async () => {
        if (!world.isHealed && random.chance(0.1)) await store.breakOff(flush, random.integer(1, 4));
        try {
          const result = await store.commit(flush, countedThroughMs);
          truth.commit(flush, result);
          world.note('flushes');
          truth.watermark(await store.watermark());
          return result;
        } catch (error) {
          if (!(error instanceof CursorMoved)) throw error;
          truth.refuse(flush);
          world.note('flushes refused');
          throw error;
        }
      }),
  };

  function drawFate(): Fate {
    const draw = world.isHealed ? 1 : random.next();
    const fate = draw < 0.04 ? 'lost' : draw < 0.1 ? 'unanswered' : draw < 0.14 ? 'late' : 'answered';
    world.note(fate);
    return fate;
  }
}
