export interface SeededRandom {
  readonly seed: number;
  /** In [0, 1). */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
  /** True for this share of the calls, in the long run. */
  chance(share: number): boolean;
  /** A new stream, fixed by this one's seed and independent of later calls here. */
  fork(): SeededRandom;
  /** The same stream from its beginning, to run the same schedule twice. */
  again(): SeededRandom;
}

/**
 * Random numbers that can be repeated: it prints the seed, and `FAULT_SEED=<seed>` repeats the run. The algorithm is
 * mulberry32: 32 bits of state, evenly spread, good enough for tests.
 */
export function seededRandom(purpose: string, seed: number = seedOfThisRun()): SeededRandom {
  // Straight to standard error: jest's console would hide it until the file ends, which a hanging one never does.
  process.stderr.write(`${purpose}: FAULT_SEED=${seed}\n`);
  return createRandom(seed);
}

/** The same numbers without a line on standard error: for a program whose seed is part of it. */
export function createRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    seed,
    next,
    integer,
    pick: (items) => items[integer(0, items.length - 1)] ?? items[0],
    chance: (share) => next() < share,
    fork: () => createRandom(integer(0, 0xffffffff)),
    again: () => createRandom(seed),
  };
}

function seedOfThisRun(): number {
  const given = process.env['FAULT_SEED'];
  if (given === undefined || given === '') return Math.floor(Math.random() * 2 ** 32);
  if (!/^\d{1,10}$/.test(given)) throw new Error(`FAULT_SEED is a whole number, not ${JSON.stringify(given)}`);
  return Number(given);
}
