import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SlidingWindow } from './sliding-window.ts';

const gaps = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.double({ min: 0, max: 3, noNaN: true }) },
    { weight: 1, arbitrary: fc.double({ min: 0, max: 1_200, noNaN: true }) },
  ),
  { minLength: 1, maxLength: 600 },
);
const limits = fc.integer({ min: 1, max: 120 });

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
    );
  });

  it('refuses only when the last second is full, and tells exactly what remains', () => {
    fc.assert(
      fc.property(limits, gaps, (limit, waits) => {
        const admitted: number[] = [];
        for (const { atMs, isAdmitted, remaining } of play(limit, waits)) {
          const inWindow = admitted.filter((time) => atMs - time < 1_000).length;
          expect(isAdmitted).toBe(inWindow < limit);
          if (isAdmitted) admitted.push(atMs);
          expect(remaining).toBe(limit - inWindow - (isAdmitted ? 1 : 0));
        }
      }),
    );
  });

  it('tells how long to wait: then one more is admitted, and not before', () => {
    fc.assert(
      fc.property(limits, gaps, (limit, waits) => {
        const refusal = play(limit, waits).findIndex(({ isAdmitted }) => !isAdmitted);
        if (refusal === -1) return;
        const told = play(limit, waits)[refusal]?.waitMs ?? 0;
        expect(told).toBeGreaterThan(0);
        expect(told).toBeLessThanOrEqual(1_000);
        const upTo = waits.slice(0, refusal + 1);
        expect(play(limit, [...upTo, told * 0.99]).at(-1)?.isAdmitted).toBe(false);
        expect(play(limit, [...upTo, told + 1e-6]).at(-1)?.isAdmitted).toBe(true);
      }),
    );
  });

  it('does not count what it refuses', () => {
    const window = new SlidingWindow({ limit: 2, windowMs: 1_000 });
    const answers = [0, 0, 1, 500, 999, 1_000, 1_000, 1_001].map((atMs) => window.admit(atMs).isAdmitted);
    expect(answers).toEqual([true, true, false, false, false, true, true, false]);
  });
});
