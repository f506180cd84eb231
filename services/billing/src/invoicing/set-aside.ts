import type { Database } from '@tollgate/database/database';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { isAppError } from '@tollgate/kernel/app-error';
import { sqlState, sqlStateOf, uniqueViolationTableOf } from '@tollgate/database/pg-error';
import { lockClosing } from './sql-closed-periods.ts';
import { putUnclosedConsumer } from './sql-unclosed-consumers.ts';

export interface SetAsideDeps {
  readonly database: Database;
  readonly log: Logger;
}

export interface FailedConsumer {
  readonly consumerId: string;
  /** The first period that the consumer lacks an invoice of. */
  readonly period: string;
  readonly nowMs: number;
  readonly error: unknown;
}

/** Remembers that the consumer's invoice failed, and when to try again. The period closes without it. */
export function createSetAside({ database, log }: SetAsideDeps) {
  return async function setAside({ consumerId, period, nowMs, error }: FailedConsumer): Promise<void> {
    await database.transaction(async (tx) => {
      await lockClosing(tx);
      await putUnclosedConsumer(tx, { consumerId, period, reason: reasonOf(error) }, nowMs);
    });
    log.error({ err: error, consumerId, period }, 'could not make an invoice; set the consumer aside');
  };
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? cause.message : error instanceof Error ? error.message : String(error);
}

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
