import type { Database } from '@tollgate/database/database';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { lockClosing } from './sql-lock-closing.ts';
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
