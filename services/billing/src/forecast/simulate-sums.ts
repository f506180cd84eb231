import { one } from './robust.ts';

const paths = 500;

/**
 * Sums of the days to come, as they might turn out: each path follows the errors of a past forecast, and goes on with those of
 * another one when they end. So days that err together in the past do so in a path. The same question has the same answer.
 */
export function simulateSums(expected: readonly bigint[], errors: readonly (readonly bigint[])[]): bigint[] {
  const next = createDraws(errors.length);
  return Array.from({ length: paths }, () => {
    let followed: readonly bigint[] = [];
    let place = 0;
    let sum = 0n;
    for (const day of expected) {
      if (place >= followed.length) [followed, place] = [errors[next()] ?? [], 0];
      sum += (day * (followed[place] ?? one)) / one;
      place += 1;
    }
    return sum;
  });
}

/** Whole numbers below `count`, always the same ones (mulberry32). */
function createDraws(count: number): () => number {
  let state = 1;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  };
}
