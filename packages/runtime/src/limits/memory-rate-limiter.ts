import type { Clock } from '@tollgate/kernel/clock';
import type { RateLimiter } from './rate-limiter.ts';
import { SlidingWindow, type Admission, type WindowRules } from './sliding-window.ts';

/** The limit of one bucket. */
interface Limit {
  /** `nowMs` never goes back. */
  admit(nowMs: number): Admission;
  takeBack(): void;
}

type LimitClass = new (rules: WindowRules) => Limit;

/** A flood from more addresses than this begins the next generation early: some buckets are then forgotten too soon. */
const bucketsMax = 200_000;

export interface MemoryRateLimiter extends RateLimiter {
  admit(bucket: string): Admission;
  /** Uncounts the newest admitted request of the bucket: it was none that the limit is for. */
  takeBack(bucket: string): void;
  /** How many buckets are in memory. */
  size(): number;
}

/**
 * The limit of this process alone; an exact sliding window per bucket, unless another class is given. A bucket that was
 * idle for a whole window limits nothing. So buckets live in two
 * generations that change places once per window. Memory holds the buckets of two windows at most, and no timer runs.
 */
export function createMemoryRateLimiter(
  rules: WindowRules,
  clock: Pick<Clock, 'monotonicMs'>,
  Limit: LimitClass = SlidingWindow,
): MemoryRateLimiter {
  let young = new Map<string, Limit>();
  let old = new Map<string, Limit>();
  let turnedAtMs = clock.monotonicMs();

  function bucketOf(bucket: string): Limit {
    const current = young.get(bucket);
    if (current !== undefined) return current;
    const limit = old.get(bucket) ?? new Limit(rules);
    young.set(bucket, limit);
    return limit;
  }

  function admit(bucket: string): Admission {
    const nowMs = clock.monotonicMs();
    if (nowMs - turnedAtMs >= rules.windowMs || young.size >= bucketsMax) {
      old = young;
      young = new Map();
      turnedAtMs = nowMs;
    }
    return bucketOf(bucket).admit(nowMs);
  }

  const takeBack = (bucket: string): void => (young.get(bucket) ?? old.get(bucket))?.takeBack();
  return { admit, takeBack, size: () => young.size + old.size };
}
