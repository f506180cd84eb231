import { timeHere } from '@tollgate/kernel/clock';
import { invalidRequest } from './invalid-request.ts';

/** Throws 400 for an `expires_at` that is not after now. */
export function requireFuture(expiresAtMs: number | undefined, nowMs: number): void {
  if (expiresAtMs === undefined || expiresAtMs > nowMs) return;
  const message = 'must be in the future';
  const words = `The time of expiry ${message}: ${timeHere(nowMs)}.`;
  throw invalidRequest(words, [{ pointer: '/expires_at', code: 'not_in_future', message }]);
}
