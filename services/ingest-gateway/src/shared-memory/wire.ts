import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import { createMemoryRateLimiter } from '@tollgate/runtime/limits/memory-rate-limiter';
import type { RateLimiter } from '@tollgate/runtime/limits/rate-limiter';
import type { WindowRules } from '@tollgate/runtime/limits/sliding-window';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { ReplyCache } from '../keys/reply-cache.ts';
import { createJudge } from './judge.ts';
import { createRedisLink } from './redis-link.ts';
import { createRedisRateLimiter } from './redis-rate-limiter.ts';
import { createRedisReplyCache } from './redis-reply-cache.ts';
import { createRedisRevocations, type Revocations } from './redis-revocations.ts';

export interface SharedMemoryDeps {
  readonly rules: WindowRules;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

export interface SharedMemory {
  readonly limiter: RateLimiter;
  readonly replies?: ReplyCache;
  readonly revocations?: Revocations;
  readonly services: readonly Service[];
}

/**
 * The gateways' common knowledge, in Redis. Without a URL each gateway limits by itself, and it recognises a repeat by its
 * own memory and by the key table.
 */
export function wireSharedMemory(url: string | undefined, deps: SharedMemoryDeps): SharedMemory {
  const { rules, clock, log, metrics } = deps;
  const local = createMemoryRateLimiter(rules, clock);
  if (url === undefined) return { limiter: local, services: [] };
  const link = createRedisLink({ url, clock, log, metrics });
  const judge = createJudge({ link, rules });
  const revocations = createRedisRevocations({ url, link, log });
  const replies = createRedisReplyCache({ link, judge, clock });
  const limiter = createRedisRateLimiter({ link, judge, local, clock });
  return { limiter, replies, revocations, services: [link, revocations, replies] };
}
