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
    return admission instanceof Promise
      ? admission.then((late) => applyAdmission(late, response))
      : applyAdmission(admission, response);
  };
}

/**
 * Each API key and each pass has a bucket. All access tokens of an account share a bucket; otherwise each sign-in would bring a new
 * allowance.
 */
export function bucketOf(principal: Principal): string {
  if (principal.kind === 'api_key') return `key:${principal.keyId}`;
  if (principal.kind === 'pass') return `pass:${principal.passId}`;
  return principal.kind === 'operator' ? 'operator' : `account:${principal.accountId}`;
}

/** Puts the remaining allowance into the answer's headers. Throws `rate_limit_exceeded`. */
export function applyAdmission(admission: Admission, response: ServerResponse): void {
  const { isAdmitted, limit, waitMs } = admission;
  const headers = allowanceHeaders(admission);
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] ?? '', headers[at + 1] ?? '');
  if (isAdmitted) return;
  throw new AppError('rate_limit_exceeded', `At most ${limit} requests in any second are taken from one API key.`, {
    retryAfterSeconds: waitMs / 1_000,
  });
}

/** Names and values in turn. */
export function allowanceHeaders({ limit, remaining }: Admission): string[] {
  return ['x-ratelimit-limit', String(limit), 'x-ratelimit-remaining', String(remaining)];
}
