import type { Database } from '@tollgate/database/database';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { listConsumersAfter } from './sql-list-consumers-after.ts';
import { lockClosing } from './sql-lock-closing.ts';
import { putUnclosedConsumer } from './sql-unclosed-consumers.ts';

export interface SetAsideDeps {
  readonly database: Database;
  readonly log: Logger;
}

export interface FailedConsumer {
  /** The account before the consumer. */
  readonly afterId: string;
  readonly period: string;
  readonly nowMs: number;
  readonly error: unknown;
}

/** Remembers that the invoice of the next consumer failed, and returns its id. The period closes without it. */
export function createSetAside({ database, log }: SetAsideDeps) {
  return async function setAside({ afterId, period, nowMs, error }: FailedConsumer): Promise<string> {
    const consumerId = await database.transaction(async (tx) => {
      await lockClosing(tx);
      const [next] = await listConsumersAfter(tx, afterId, 1);
      if (next !== undefined)
        await putUnclosedConsumer(tx, { consumerId: next, period, reason: reasonOf(error) }, nowMs);
      return next;
    });
    if (consumerId === undefined) throw error;
    log.error({ err: error, consumerId, period }, 'could not make an invoice; set the consumer aside and went on');
    return consumerId;
  };
}

export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? cause.message : error instanceof Error ? error.message : String(error);
}
