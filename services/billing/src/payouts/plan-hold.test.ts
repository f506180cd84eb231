import { describe, expect, it } from '@jest/globals';
import { dayMs } from '@tollgate/kernel/durations';
import { micros } from '@tollgate/kernel/money';
import { planHold, type HoldFacts, type YoungBuilderSettings } from './plan-hold.ts';

const settings: YoungBuilderSettings = { youngMs: 90 * dayMs, delayMs: 14 * dayMs, reservePercent: 10 };
const facts: HoldFacts = {
  firstEarnedAtMs: 0,
  earnedMicros: micros(1_000n),
  disputedMicros: micros(0n),
  payableMicros: micros(600n),
};

describe('what a builder’s payout leaves', () => {
  it.each<[string, Partial<HoldFacts>, number, bigint]>([
    ['all of it on the day of the first earning', {}, 0, 600n],
    ['all of it until the delay has passed', {}, 14 * dayMs - 1, 600n],
    ['the percentage of all earnings after that', {}, 14 * dayMs, 100n],
    ['the percentage rounded up', { earnedMicros: micros(1_001n) }, 14 * dayMs, 101n],
    ['nothing once the builder is not young', {}, 90 * dayMs, 0n],
    ['no more than is payable', { payableMicros: micros(40n) }, 14 * dayMs, 40n],
    ['nothing of a debt', { payableMicros: micros(-5n), disputedMicros: micros(9n) }, 0, 0n],
    ['its share in open disputes, however old it is', { disputedMicros: micros(70n) }, 400 * dayMs, 70n],
    ['both the share and the percentage', { disputedMicros: micros(70n) }, 14 * dayMs, 170n],
    ['the share alone before anything was earned', { firstEarnedAtMs: null, disputedMicros: micros(7n) }, 0, 7n],
  ])('is %s', (_what, changes, nowMs, expected) => {
    expect(planHold({ ...facts, ...changes }, settings, nowMs)).toBe(expected);
  });
});
