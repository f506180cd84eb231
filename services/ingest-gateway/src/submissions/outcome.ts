import type { AppError } from '@tollgate/kernel/app-error';

/**
 * The result of one submission.
 * - `recorded`: the event is durable in the log;
 * - `duplicate`: an earlier event has the same key and the same body, and this is its answer again;
 * - `rejected`: the event is not in the log, and the same request would be rejected again;
 * - `unknown`: the event may or may not be in the log; sending it again with its key is safe.
 */
export type Outcome =
  | { readonly kind: 'recorded' | 'duplicate'; readonly eventId: string; readonly occurredAt: string }
  | { readonly kind: 'rejected'; readonly error: AppError }
  | { readonly kind: 'unknown'; readonly error: AppError };
