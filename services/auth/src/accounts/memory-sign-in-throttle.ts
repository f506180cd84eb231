import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { minuteMs } from '@tollgate/kernel/durations';
import { createMemoryRateLimiter, type MemoryRateLimiter } from '@tollgate/runtime/limits/memory-rate-limiter';
import type { SignInThrottle } from '../ports.ts';
import { networkOf } from './network-of.ts';

/** How many a minute. */
export interface ThrottleLimits {
  readonly loginsPerAccountAndAddress: number;
  readonly loginsPerAddress: number;
  readonly registrationsPerAddress: number;
}

/** Counts in this process, in exact sliding windows of a minute. */
export function createMemorySignInThrottle(limits: ThrottleLimits, clock: Pick<Clock, 'monotonicMs'>): SignInThrottle {
  const perMinute = (limit: number) => createMemoryRateLimiter({ limit, windowMs: minuteMs }, clock);
  const perAccount = perMinute(limits.loginsPerAccountAndAddress);
  const perAddress = perMinute(limits.loginsPerAddress);
  const registrations = perMinute(limits.registrationsPerAddress);
  return {
    admitRegistration: (address) => admit(registrations, networkOf(address)),
    admitLogin: (address) => admit(perAddress, networkOf(address)),
    admitPasswordTry: ({ account, address }) => admit(perAccount, `${networkOf(address)} ${account}`),
  };
}

async function admit(limiter: MemoryRateLimiter, bucket: string): Promise<void> {
  const { isAdmitted, waitMs } = limiter.admit(bucket);
  if (isAdmitted) return;
  throw new AppError('rate_limit_exceeded', 'Too many attempts. Wait before the next.', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
}
