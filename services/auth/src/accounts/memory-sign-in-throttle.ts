import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { dayMs, hourMs, minuteMs } from '@tollgate/kernel/durations';
import { createMemoryRateLimiter, type MemoryRateLimiter } from '@tollgate/runtime/limits/memory-rate-limiter';
import { networkOf } from '@tollgate/runtime/limits/network-of';

/** Each method throws `rate_limit_exceeded` beyond its limit. Limits go by real time, not by the movable clock. */
export interface SignInThrottle {
  admitRegistration(address: string): Promise<void>;
  admitLogin(address: string): Promise<void>;
  /** A client of OAuth that registers itself. */
  admitClient(address: string): Promise<void>;
  /** Counts per account and address, never per account: a stranger could lock the owner out. */
  admitPasswordTry(attempt: { readonly account: string; readonly address: string }): Promise<void>;
  /** A mail to an address, or to an account. The answer beyond the limit is the same whether there is such an account. */
  admitLetter(letter: { readonly to: string; readonly address: string }): Promise<void>;
  /** A code of an authenticator app. Counts per account, after the password was right. */
  admitCodeTry(accountId: string): Promise<void>;
}

/**
 * Codes that one account may try per day, from all addresses together. A guess is right in 3 of a million, so a hundred
 * per day find none in years. Only a caller who knows the password gets this far, so no stranger can lock the owner
 * out; a recovery code works beyond the limit.
 */
const codeTriesPerDay = 100;

/** Nobody fills the mailbox of another. */
const lettersPerHour = 3;
/** People behind one address of an office do not notice this. */
const lettersPerNetworkAndHour = 60;

/** Requests per minute. */
export interface ThrottleLimits {
  readonly loginsPerAccountAndAddress: number;
  readonly loginsPerAddress: number;
  readonly registrationsPerAddress: number;
  readonly clientsPerAddress: number;
}

/** Counts in this process, in exact sliding windows of a minute. */
export function createMemorySignInThrottle(limits: ThrottleLimits, clock: Pick<Clock, 'monotonicMs'>): SignInThrottle {
  const perMinute = (limit: number) => createMemoryRateLimiter({ limit, windowMs: minuteMs }, clock);
  const perAccount = perMinute(limits.loginsPerAccountAndAddress);
  const perAddress = perMinute(limits.loginsPerAddress);
  const registrations = perMinute(limits.registrationsPerAddress);
  const clients = perMinute(limits.clientsPerAddress);
  const letters = createMemoryRateLimiter({ limit: lettersPerHour, windowMs: hourMs }, clock);
  const lettersOfNetwork = createMemoryRateLimiter({ limit: lettersPerNetworkAndHour, windowMs: hourMs }, clock);
  const codes = createMemoryRateLimiter({ limit: codeTriesPerDay, windowMs: dayMs }, clock);
  return {
    admitRegistration: (address) => admit(registrations, networkOf(address)),
    admitLogin: (address) => admit(perAddress, networkOf(address)),
    admitClient: (address) => admit(clients, networkOf(address)),
    admitPasswordTry: ({ account, address }) => admit(perAccount, `${networkOf(address)} ${account}`),
    async admitLetter({ to, address }) {
      await admit(lettersOfNetwork, networkOf(address));
      await admit(letters, to);
    },
    admitCodeTry: (accountId) => admit(codes, accountId),
  };
}

async function admit(limiter: MemoryRateLimiter, bucket: string): Promise<void> {
  const { isAdmitted, waitMs } = limiter.admit(bucket);
  if (isAdmitted) return;
  throw new AppError('rate_limit_exceeded', 'Too many attempts. Wait before the next.', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
}
