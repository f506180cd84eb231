import type { AppError } from '@tollgate/kernel/app-error';

/**
 * What became of one event.
 * - `recorded`: durable in the log;
 * - `duplicate`: its key was used before with the same body, and this is the first answer again;
 * - `rejected`: not in the log, and sending it again as it is changes nothing;
 * - `unknown`: it may or may not be in the log; sending it again with its key is safe.
 */
export type Outcome =
  | { readonly kind: 'recorded' | 'duplicate'; readonly eventId: string; readonly occurredAt: string }
  | { readonly kind: 'rejected'; readonly error: AppError }
  | { readonly kind: 'unknown'; readonly error: AppError };
