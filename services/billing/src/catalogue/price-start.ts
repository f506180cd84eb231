import { AppError } from '@tollgate/kernel/app-error';

const leadMs = 3_600_000;

/**
 * A version begins in an hour at the soonest: consumers see a price before they pay it, and every gateway knows the keys
 * that it sums (≤ 1 s) long before the first call that it rates.
 */
export function requirePriceStart(effectiveFromMs: number, nowMs: number): void {
  if (effectiveFromMs >= nowMs + leadMs) return;
  const message = 'must be at least one hour ahead';
  throw new AppError('invalid_request', `effective_from ${message}.`, {
    errors: [{ pointer: '/effective_from', code: 'too_soon', message }],
  });
}
