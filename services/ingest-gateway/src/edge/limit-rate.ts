import type { ServerResponse } from 'node:http';
import { AppError } from '@tollgate/kernel/app-error';
import type { Principal } from '@tollgate/runtime/http/requests/principal';
import type { RateLimiter } from '@tollgate/runtime/limits/rate-limiter';
import type { Admission } from '@tollgate/runtime/limits/sliding-window';

export type LimitRate = (principal: Principal, response: ServerResponse) => void | Promise<void>;

/**
 * Counts the request, puts the remaining allowance into the answer's headers, and refuses with 429. It returns a promise
 * only if the limiter does.
 */
export function createLimitRate(limiter: RateLimiter): LimitRate {
  return function limitRate(principal, response) {
    const admission = limiter.admit(bucketOf(principal));
    return admission instanceof Promise ? admission.then((late) => apply(late, response)) : apply(admission, response);
  };
}

/**
 * Each API key and each pass has a bucket. All access tokens of an account share a bucket; otherwise each sign-in would bring a new
 * allowance.
 */
function bucketOf(principal: Principal): string {
  if (principal.kind === 'api_key') return `key:${principal.keyId}`;
  if (principal.kind === 'pass') return `pass:${principal.passId}`;
  return principal.kind === 'operator' ? 'operator' : `account:${principal.accountId}`;
}

function apply({ isAdmitted, limit, remaining, waitMs }: Admission, response: ServerResponse): void {
  response.setHeader('x-ratelimit-limit', limit);
  response.setHeader('x-ratelimit-remaining', remaining);
  if (isAdmitted) return;
  throw new AppError('rate_limit_exceeded', `At most ${limit} requests in any second are taken from one API key.`, {
    retryAfterSeconds: waitMs / 1_000,
  });
}
