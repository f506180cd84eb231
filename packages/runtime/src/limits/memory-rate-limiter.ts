import type { Clock } from '@tollgate/kernel/clock';
import type { RateLimiter } from './rate-limiter.ts';
import { SlidingWindow, type WindowRules } from './sliding-window.ts';

export interface MemoryRateLimiter extends RateLimiter {
  admit(bucket: string): ReturnType<SlidingWindow['admit']>;
  /** How many buckets are in memory. */
  size(): number;
}

/**
 * The limit of this process alone. A bucket that was idle for a whole window limits nothing. So buckets live in two
 * generations that change places once per window. Memory holds the buckets of two windows at most, and no timer runs.
 */
export function createMemoryRateLimiter(rules: WindowRules, clock: Pick<Clock, 'monotonicMs'>): MemoryRateLimiter {
  let young = new Map<string, SlidingWindow>();
  let old = new Map<string, SlidingWindow>();
  let turnedAtMs = clock.monotonicMs();

  function bucketOf(bucket: string): SlidingWindow {
    const current = young.get(bucket);
    if (current !== undefined) return current;
    const window = old.get(bucket) ?? new SlidingWindow(rules);
    young.set(bucket, window);
    return window;
  }

  function admit(bucket: string): ReturnType<SlidingWindow['admit']> {
    const nowMs = clock.monotonicMs();
    if (nowMs - turnedAtMs >= rules.windowMs) {
      old = young;
      young = new Map();
      turnedAtMs = nowMs;
    }
    return bucketOf(bucket).admit(nowMs);
  }

  return { admit, size: () => young.size + old.size };
}
