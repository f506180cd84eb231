import { isAppError } from '@tollgate/kernel/app-error';
import { sqlState, sqlStateOf, uniqueViolationTableOf } from '@tollgate/database/pg-error';

/**
 * Whether a transaction failed for the rows that it worked on: with fewer rows, or without one consumer's, it may succeed.
 * False where PostgreSQL cannot be reached, or another close is at work: then every batch would fail. Two closes that store
 * the same invoice or number at once mean that their lock does not hold.
 */
export function isFailureOfRows(error: unknown): boolean {
  if (!isAppError(error, 'unavailable')) return uniqueViolationTableOf(error) !== 'invoice';
  const { cause } = error;
  const state = sqlStateOf(cause);
  if (state !== undefined) return state === sqlState.queryCanceled || state === sqlState.outOfMemory;
  return cause instanceof Error && /Query read timeout/.test(cause.message);
}
