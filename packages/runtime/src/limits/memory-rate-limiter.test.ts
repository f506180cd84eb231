import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SlidingWindow } from './sliding-window.ts';
import { rateLimiterContract } from '@tollgate/testkit/contracts/rate-limiter.contract';
import { createMemoryRateLimiter } from './memory-rate-limiter.ts';

const rules = { limit: 3, windowMs: 1_000 };

function limiterAt(start = 0) {
  const time = { nowMs: start };
  return { time, limiter: createMemoryRateLimiter(rules, { monotonicMs: () => time.nowMs }) };
}

rateLimiterContract('memory', async (window) => {
  const time = { nowMs: 0 };
  return {
    limiter: createMemoryRateLimiter(window, { monotonicMs: () => time.nowMs }),
    async pass(ms) {
      time.nowMs += ms;
    },
    close: async () => undefined,
  };
});

describe('the limiter in memory', () => {
  it('answers each bucket as a window that is never forgotten would', () => {
    const calls = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 700 }));
    fc.assert(
      fc.property(fc.array(calls, { maxLength: 100, size: 'max' }), (requests) => {
        const { time, limiter } = limiterAt();
        const windows = new Map(['a', 'b', 'c'].map((name) => [name, new SlidingWindow(rules)]));
        return requests.every(([bucket, wait]) => {
          time.nowMs += wait;
          return JSON.stringify(limiter.admit(bucket)) === JSON.stringify(windows.get(bucket)?.admit(time.nowMs));
        });
      }),
      { endOnFailure: true },
    );
  });

  it('lets go of idle buckets: memory is bounded by what two windows bring', () => {
    const { time, limiter } = limiterAt();
    let greatest = 0;
    for (let call = 0; call < 100_000; call += 1) {
      time.nowMs += 1;
      limiter.admit(`bucket-${call}`);
      greatest = Math.max(greatest, limiter.size());
    }
    expect(greatest).toBeLessThanOrEqual(2_000);
  });
});
