import { isAppError } from '@tollgate/kernel/app-error';
import { sqlState, sqlStateOf } from '@tollgate/database/pg-error';

/**
 * Whether a transaction failed for the rows that it worked on: with fewer rows, or without one consumer's, it may succeed.
 * False where PostgreSQL cannot be reached, or another close has the lock: then every batch would fail.
 */
export function isFailureOfRows(error: unknown): boolean {
  if (!isAppError(error, 'unavailable')) return true;
  const { cause } = error;
  const state = sqlStateOf(cause);
  if (state !== undefined) return state === sqlState.queryCanceled || state === sqlState.outOfMemory;
  return cause instanceof Error && /Query read timeout/.test(cause.message);
}
