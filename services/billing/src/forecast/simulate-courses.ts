import { one } from './robust.ts';

const courses = 500;

/**
 * The days to come, as they might turn out: each course has the sum by the end of each day. It follows the errors of a past
 * forecast, and goes on with those of another one when they end. So days that err together in the past do so in a course. The
 * same question has the same answer.
 */
export function simulateCourses(expected: readonly bigint[], errors: readonly (readonly bigint[])[]): bigint[][] {
  const next = createDraws(errors.length);
  return Array.from({ length: courses }, () => {
    let followed: readonly bigint[] = [];
    let place = 0;
    let sum = 0n;
    return expected.map((day) => {
      if (place >= followed.length) [followed, place] = [errors[next()] ?? [], 0];
      sum += (day * (followed[place] ?? one)) / one;
      place += 1;
      return sum;
    });
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
