import { AppError } from '@tollgate/kernel/app-error';

/** The 503 for an event that may or may not be in the log. */
export function notDurableInTime(cause?: unknown): AppError {
  const message =
    'The event could not be made durable in time; it may or may not count. Sending it again with its idempotency_key is safe.';
  return new AppError('unavailable', message, { cause, retryAfterSeconds: 1 });
}
