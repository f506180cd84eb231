import { describe, expect, it } from '@jest/globals';
import { coalesce } from '../timing/coalesce.ts';
import { createLookupOnMiss } from './lookup-on-miss.ts';
import { createOverlap } from './overlap.ts';

/** Runs that end when told to. */
function createGate() {
  const begun: PromiseWithResolvers<void>[] = [];
  const run = (): Promise<void> => {
    const one = Promise.withResolvers<void>();
    begun.push(one);
    return one.promise;
  };
  return { begun, run };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('coalesce', () => {
  it('shares runs, but never one that began before the call', async () => {
    const { begun, run } = createGate();
    const runOnce = coalesce(run);
    const first = runOnce();
    const [second, third] = [runOnce(), runOnce()];
    expect(begun).toHaveLength(1);
    let secondEnded = false;
    void second.then(() => (secondEnded = true));
    begun[0]?.resolve();
    await first;
    await settle();
    expect([begun.length, secondEnded]).toEqual([2, false]);
    begun[1]?.resolve();
    await Promise.all([second, third]);
    expect(begun).toHaveLength(2);
    const fourth = runOnce();
    expect(begun).toHaveLength(3);
    begun[2]?.resolve();
    await fourth;
  });

  it('begins anew after a failure, and tells it only to those who waited for that run', async () => {
    const { begun, run } = createGate();
    const runOnce = coalesce(run);
    const first = runOnce();
    const second = runOnce();
    begun[0]?.reject(new Error('down'));
    await expect(first).rejects.toThrow('down');
    await settle();
    begun[1]?.resolve();
    await expect(second).resolves.toBeUndefined();
  });
});

describe('createLookupOnMiss', () => {
  it('asks for concurrent misses in one statement, and finds what was committed before each request', async () => {
    const committed = new Map<string, number>();
    const asked: string[][] = [];
    const gates: PromiseWithResolvers<void>[] = [];
    const lookUp = createLookupOnMiss(async (names) => {
      asked.push([...names]);
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
    expect(asked).toEqual([['a'], ['a', 'b']]);
  });

  it('refuses a flood of unknown names instead of piling it up', async () => {
    const gate = Promise.withResolvers<void>();
    const lookUp = createLookupOnMiss(async () => {
      await gate.promise;
      return new Map();
    });
    const asked = Array.from({ length: 1_500 }, (_, index) =>
      lookUp(`name ${index}`).then(
        () => 'answered',
        () => 'refused',
      ),
    );
    gate.resolve();
    const answers = await Promise.all(asked);
    expect(answers.filter((answer) => answer === 'refused').length).toBeGreaterThan(400);
    expect(await lookUp('later')).toBeUndefined();
  });

  it('tells those who waited when the database is away, and works again when it is back', async () => {
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
  it('reads again what may have been committed late: fifteen seconds back', () => {
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

  it('begins at nothing in a young database', () => {
    expect(createOverlap(7n).readAfter(0)).toBe(0n);
  });
});
