import type { Route } from '@tollgate/contracts/routes/route';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { Principal } from './principal.ts';
import type { RateLimitConfig } from '../../config/rate-limit-settings.ts';
import { createMemoryRateLimiter, type MemoryRateLimiter } from '../../limits/memory-rate-limiter.ts';
import { networkOf } from '../../limits/network-of.ts';
import { TokenBucket } from '../../limits/token-bucket.ts';

/** The limits of every route, per address and per account. Each method throws `rate_limit_exceeded` beyond its limit. */
export interface RouteLimits {
  /** Before anything else is done for the request. */
  admitAddress(route: Route, address: () => string): void;
  /** Once it is known who is calling. */
  admitCaller(route: Route, principal: Principal): void;
}

type Kind = 'reads' | 'writes' | 'exports';
type Limiters = Readonly<Record<Kind, MemoryRateLimiter>>;

/** A program that asks one thing after the other is fast for a while, and then waits for its user. */
const burstSeconds = 30;
/** Offices and proxies share an address, also a proxy that TRUSTED_PROXIES lacks. */
const accountsPerAddress = 5;

/** Counts in this process, so N replicas admit N times as many. Limits go by real time, not by the movable clock. */
export function createRouteLimits(config: RateLimitConfig, clock: Pick<Clock, 'monotonicMs'>): RouteLimits {
  const perSecond: Readonly<Record<Kind, number>> = {
    reads: config.READS_PER_SECOND_MAX,
    writes: config.WRITES_PER_SECOND_MAX,
    exports: config.EXPORTS_PER_SECOND_MAX,
  };
  const limiter = (rate: number): MemoryRateLimiter =>
    createMemoryRateLimiter({ limit: rate * burstSeconds, windowMs: burstSeconds * 1_000 }, clock, TokenBucket);
  const limitersFor = (times: number): Limiters => ({
    reads: limiter(perSecond.reads * times),
    writes: limiter(perSecond.writes * times),
    exports: limiter(perSecond.exports * times),
  });
  const [addresses, callers] = [limitersFor(accountsPerAddress), limitersFor(1)];

  function admit(kind: Kind, limiters: Limiters, bucket: string): void {
    const { isAdmitted, waitMs } = limiters[kind].admit(bucket);
    if (isAdmitted) return;
    const message = `Too many ${kind}: ${perSecond[kind]} per second are taken, and a burst now and then.`;
    throw new AppError('rate_limit_exceeded', message, { retryAfterSeconds: waitMs / 1_000 });
  }

  return {
    admitAddress(route, address) {
      const kind = kindOf(route);
      if (kind !== undefined) admit(kind, addresses, networkOf(address()));
    },
    admitCaller(route, principal) {
      const kind = kindOf(route);
      if (kind !== undefined)
        admit(kind, callers, principal.kind === 'operator' ? `operator ${principal.name}` : principal.accountId);
    },
  };
}

/** Undefined: the recording routes, which have a limit of their own that all gateways share. */
function kindOf({ rateLimited, isExport, method }: Route): Kind | undefined {
  if (rateLimited) return undefined;
  if (isExport) return 'exports';
  return method === 'GET' ? 'reads' : 'writes';
}
