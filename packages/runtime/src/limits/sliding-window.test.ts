import { describe, it } from '@jest/globals';
import fc from 'fast-check';
import { SlidingWindow } from './sliding-window.ts';

const gaps = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 6 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 1_200 }) },
  ),
  { minLength: 1, maxLength: 300, size: 'max' }, // else 10: too few to fill a window
);
const limits = fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 90, max: 110 }));
/** Shrinking hundreds of gaps takes minutes; the seed repeats the failure as it is. */
const asFound = { endOnFailure: true };

function play(limit: number, waits: readonly number[]) {
  const window = new SlidingWindow({ limit, windowMs: 1_000 });
  let nowMs = 5_000;
  return waits.map((wait) => {
    nowMs += wait;
    return { atMs: nowMs, ...window.admit(nowMs) };
  });
}

describe('SlidingWindow', () => {
  it('admits at most the limit in every interval of one second, wherever it begins', () => {
    fc.assert(
      fc.property(limits, gaps, (limit, waits) => {
        const times = play(limit, waits)
          .filter(({ isAdmitted }) => isAdmitted)
          .map(({ atMs }) => atMs);
        return times.every((start, index) => {
          const beyond = times[index + limit];
          return beyond === undefined || beyond - start >= 1_000;
        });
      }),
      asFound,
    );
  });

  it('refuses only when the last second is full, and says exactly what remains', () => {
    fc.assert(
      fc.property(limits, gaps, (limit, waits) => {
        const admitted: number[] = [];
        return play(limit, waits).every(({ atMs, isAdmitted, remaining }) => {
          const inWindow = admitted.filter((time) => atMs - time < 1_000).length;
          if (isAdmitted) admitted.push(atMs);
          return isAdmitted === inWindow < limit && remaining === limit - inWindow - Number(isAdmitted);
        });
      }),
      asFound,
    );
  });

  it('says how long to wait: then one more is admitted, and not before', () => {
    fc.assert(
      fc.property(limits, gaps, (limit, waits) => {
        const answers = play(limit, waits);
        const refusal = answers.findIndex(({ isAdmitted }) => !isAdmitted);
        const waitMs = answers[refusal]?.waitMs;
        if (waitMs === undefined) return true;
        const admitsAfter = (wait: number) => play(limit, [...waits.slice(0, refusal + 1), wait]).at(-1)?.isAdmitted;
        return waitMs > 0 && waitMs <= 1_000 && admitsAfter(waitMs - 0.5) === false && admitsAfter(waitMs) === true;
      }),
      asFound,
    );
  });
});
