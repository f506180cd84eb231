import { AppError } from '@tollgate/kernel/app-error';
import { timeHere } from '@tollgate/kernel/clock';

const leadMs = 3_600_000;

/**
 * Throws `invalid_request` for a version that begins less than an hour ahead. Consumers must be able to read a price
 * before they pay it. Gateways must know its measures before the first call that it rates, which takes up to 1 s.
 */
export function requirePriceStart(effectiveFromMs: number, nowMs: number): void {
  if (effectiveFromMs >= nowMs + leadMs) return;
  const message = 'must be at least one hour ahead';
  throw new AppError('invalid_request', `effective_from ${message}: ${timeHere(nowMs)}.`, {
    errors: [{ pointer: '/effective_from', code: 'too_soon', message }],
  });
}
