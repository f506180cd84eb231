import type { Clock } from '@tollgate/kernel/clock';
import type { RateLimiter } from '@tollgate/runtime/limits/rate-limiter';
import type { MemoryRateLimiter } from '@tollgate/runtime/limits/memory-rate-limiter';
import type { MicroBatcher } from '@tollgate/runtime/timing/micro-batcher';
import type { Question } from './judge.ts';
import type { RedisLink } from './redis-link.ts';

export interface RedisRateLimiterDeps {
  readonly link: Pick<RedisLink, 'isUp'>;
  readonly judge: Pick<MicroBatcher<Question>, 'add'>;
  /** The limit of this gateway alone. */
  readonly local: MemoryRateLimiter;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/**
 * The limit that all gateways share. Without Redis each gateway limits by itself. The local limiter counts every
 * admission, so when Redis goes away, the requests that were just admitted count from the first moment.
 */
export function createRedisRateLimiter({ link, judge, local, clock }: RedisRateLimiterDeps): RateLimiter {
  return {
    admit(bucket) {
      if (!link.isUp()) return local.admit(bucket);
      return new Promise((resolve) => {
        judge.add({
          kind: 'admission',
          bucket,
          askedAtMs: clock.monotonicMs(),
          onAnswer(admission) {
            if (admission.isAdmitted) local.admit(bucket);
            resolve(admission);
          },
          onAway: () => resolve(local.admit(bucket)),
        });
      });
    },
  };
}
