import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TokenBucket } from './token-bucket.ts';

const rules = { limit: 6, windowMs: 2_000 }; // 3 per second, 6 at once

describe('a token bucket', () => {
  it('admits its limit at once, then one per place, and says how long to wait', () => {
    const bucket = new TokenBucket(rules);
    const remaining = Array.from({ length: 6 }, () => bucket.admit(1_000).remaining);
    expect(remaining).toEqual([5, 4, 3, 2, 1, 0]);
    const refused = bucket.admit(1_000);
    expect(refused).toMatchObject({ isAdmitted: false, limit: 6, remaining: 0 });
    expect(bucket.admit(1_000 + Math.ceil(refused.waitMs))).toMatchObject({ isAdmitted: true, remaining: 0 });
    expect(bucket.admit(1_000 + Math.ceil(refused.waitMs)).isAdmitted).toBe(false);
    expect(bucket.admit(60_000).remaining).toBe(5);
  });

  it('has one place more for a request that is taken back', () => {
    const bucket = new TokenBucket(rules);
    for (let index = 0; index < 6; index += 1) bucket.admit(1_000);
    bucket.takeBack();
    expect([bucket.admit(1_000).isAdmitted, bucket.admit(1_000).isAdmitted]).toEqual([true, false]);
  });

  it('never admits more in any span than its limit and what flowed in, however the calls come', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 60 }), (waits) => {
        const bucket = new TokenBucket(rules);
        let nowMs = 0;
        const admitted: number[] = [];
        for (const wait of waits) {
          nowMs += wait;
          if (bucket.admit(nowMs).isAdmitted) admitted.push(nowMs);
        }
        return admitted.every((from, first) =>
          admitted.slice(first).every((to, more) => more + 1 <= 6 + (to - from) * 0.003 + 0.01),
        );
      }),
    );
  });
});
