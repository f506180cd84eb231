import { afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { RateLimiter } from '@tollgate/runtime/limits/rate-limiter';
import type { WindowRules } from '@tollgate/runtime/limits/sliding-window';

export interface LimiterHarness {
  readonly limiter: RateLimiter;
  /** Lets at least as much time pass, by the limiter's own clock. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** Every adapter of `RateLimiter` must pass this contract. No test is red because a machine is slow. */
export function rateLimiterContract(name: string, open: (rules: WindowRules) => Promise<LimiterHarness>): void {
  describe(`the rate limiter: ${name}`, () => {
    let harness: LimiterHarness;
    const aMinute = { limit: 5, windowMs: 60_000 };
    const aMoment = { limit: 5, windowMs: 200 };
    afterEach(() => harness.close());

    const burst = (bucket: string, count: number) =>
      Promise.all(Array.from({ length: count }, async () => harness.limiter.admit(bucket)));
    const admitted = async (bucket: string, count: number) =>
      (await burst(bucket, count)).filter(({ isAdmitted }) => isAdmitted).length;

    it('admits as many as the limit, and tells on each what remains', async () => {
      harness = await open(aMinute);
      const answers = await burst(randomUUID(), 8);
      expect(answers.map(({ isAdmitted, limit, remaining }) => [isAdmitted, limit, remaining])).toEqual([
        [true, 5, 4],
        [true, 5, 3],
        [true, 5, 2],
        [true, 5, 1],
        [true, 5, 0],
        [false, 5, 0],
        [false, 5, 0],
        [false, 5, 0],
      ]);
    });

    it('keeps buckets apart', async () => {
      harness = await open(aMinute);
      const counts = await Promise.all([admitted(randomUUID(), 7), admitted(randomUUID(), 7)]);
      expect(counts).toEqual([5, 5]);
    });

    it('admits as many again a window later; what it refused does not count', async () => {
      harness = await open(aMoment);
      const bucket = randomUUID();
      expect(await admitted(bucket, 5)).toBe(5);
      await burst(bucket, 20);
      await harness.pass(aMoment.windowMs);
      expect(await admitted(bucket, 5)).toBe(5);
    });

    it('says how long to wait: not at all while there is room, then until the next one is admitted', async () => {
      harness = await open(aMoment);
      const bucket = randomUUID();
      const waits = (await burst(bucket, 5)).map(({ waitMs }) => waitMs);
      expect(waits.slice(0, 4)).toEqual([0, 0, 0, 0]);
      await harness.pass(Math.ceil(waits[4] ?? Infinity));
      expect(await admitted(bucket, 1)).toBe(1);
    });
  });
}
