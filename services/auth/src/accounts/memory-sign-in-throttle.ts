import { AppError } from '@tollgate/kernel/app-error';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { SignInThrottle } from '../ports.ts';
import { networkOf } from './network-of.ts';

/** How many a minute. */
export interface ThrottleLimits {
  readonly loginsPerAccountAndAddress: number;
  readonly loginsPerAddress: number;
  readonly registrationsPerAddress: number;
}

/** Counts in this process. A window begins with its first request, and its memory is freed when it ends. */
export function createMemorySignInThrottle(limits: ThrottleLimits): SignInThrottle {
  const perAccount = perMinute(limits.loginsPerAccountAndAddress);
  const perAddress = perMinute(limits.loginsPerAddress);
  const registrations = perMinute(limits.registrationsPerAddress);
  return {
    admitRegistration: (address) => admit(registrations, networkOf(address)),
    admitLogin: (address) => admit(perAddress, networkOf(address)),
    admitPasswordTry: ({ account, address }) => admit(perAccount, `${networkOf(address)} ${account}`),
  };
}

function perMinute(points: number): RateLimiterMemory {
  return new RateLimiterMemory({ points, duration: 60 });
}

async function admit(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw new AppError('rate_limit_exceeded', 'Too many attempts. Wait before the next.', {
      retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000)),
    });
  }
}
