import { describe, expect, it } from '@jest/globals';
import { createLookupOnMiss } from './lookup-on-miss.ts';
import { createOverlap } from './overlap.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('createLookupOnMiss', () => {
  it('looks up concurrent misses in one statement, and finds names that were committed before each call', async () => {
    const committed = new Map<string, number>();
    const loaded: string[][] = [];
    const gates: PromiseWithResolvers<void>[] = [];
    const lookUp = createLookupOnMiss(async (names) => {
      loaded.push([...names]);
      const snapshot = new Map(committed);
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      await gate.promise;
      return snapshot;
    });
    const early = lookUp('a');
    committed.set('a', 1); // after the first look-up took its snapshot
    const late = [lookUp('a'), lookUp('b'), lookUp('a')];
    gates[0]?.resolve();
    expect(await early).toBeUndefined();
    await settle();
    gates[1]?.resolve();
    expect(await Promise.all(late)).toEqual([1, undefined, 1]);
    expect(loaded).toEqual([['a'], ['a', 'b']]);
  });

  it('refuses a flood of unknown names instead of queueing it', async () => {
    const gate = Promise.withResolvers<void>();
    const lookUp = createLookupOnMiss(async () => {
      await gate.promise;
      return new Map();
    });
    const lookUps = Array.from({ length: 1_500 }, (_, index) =>
      lookUp(`name ${index}`).then(
        () => 'answered',
        () => 'refused',
      ),
    );
    gate.resolve();
    const answers = await Promise.all(lookUps);
    expect(answers.filter((answer) => answer === 'refused').length).toBeGreaterThan(400);
    expect(await lookUp('later')).toBeUndefined();
  });

  it('rejects the waiting callers while the database is away, and works again afterwards', async () => {
    let isDown = true;
    const lookUp = createLookupOnMiss(() =>
      isDown ? Promise.reject(new Error('down')) : Promise.resolve(new Map([['a', 1]])),
    );
    await expect(Promise.all([lookUp('a'), lookUp('b')])).rejects.toThrow('down');
    isDown = false;
    expect(await lookUp('a')).toBe(1);
  });
});

describe('createOverlap', () => {
  it('reads again the numbers of the last fifteen seconds, some of which may have been committed late', () => {
    const overlap = createOverlap(5_000n);
    expect(overlap.readAfter(0)).toBe(4_000n);
    overlap.seen(5_000n, 0);
    overlap.seen(5_010n, 1_000);
    overlap.seen(0n, 2_000);
    expect(overlap.readAfter(14_999)).toBe(4_000n);
    expect(overlap.readAfter(15_000)).toBe(5_000n);
    expect(overlap.readAfter(15_999)).toBe(5_000n);
    expect(overlap.readAfter(16_000)).toBe(5_010n);
    overlap.seen(5_010n, 16_000);
    expect(overlap.readAfter(60_000)).toBe(5_010n);
  });

  it('begins at zero in a young database', () => {
    expect(createOverlap(7n).readAfter(0)).toBe(0n);
  });
});
