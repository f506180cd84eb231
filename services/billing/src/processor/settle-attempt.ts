import type { Clock } from '@tollgate/kernel/clock';
import type { Database, Transaction } from '@tollgate/database/database';
import { afterMovement } from './after-movement.ts';
import type { Attempt, AttemptKind } from './attempt.ts';
import { lockAttempt, settleAttempt, type AttemptResult } from './sql-attempts.ts';
import type { Movement } from './processor.ts';

/**
 * What the outcome of an attempt does to its subject and the ledger, in the transaction that writes the outcome down. It is
 * called once for each change of status: `settled.status` is the new one, `attempt.status` the one before.
 */
export type ApplyOutcome = (tx: Transaction, attempt: Attempt, settled: AttemptResult) => Promise<void>;

export interface SettleDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly applyOutcome: Readonly<Record<AttemptKind, ApplyOutcome>>;
}

/** Writes down what has become of an attempt, with its effect. Answers whether that was new. Safe to repeat, and at once. */
export function createSettleAttempt({ database, clock, applyOutcome }: SettleDeps) {
  return function settle(id: string, movement: Movement): Promise<boolean> {
    return database.transaction(async (tx) => {
      const attempt = await lockAttempt(tx, id);
      const status = afterMovement(attempt.status, movement.status);
      if (status === undefined) return false;
      if (movement.amountCents !== attempt.amountCents) throw otherAmount(attempt, movement);
      const { objectId, failureCode, feeCents } = movement;
      const result = { status, objectId, failureCode, feeCents, settledAtMs: clock.now() };
      await settleAttempt(tx, id, result);
      await applyOutcome[attempt.kind](tx, attempt, result);
      return true;
    });
  };
}

/** F61: cannot be, since the key covers the amount. Nothing is written down; the alarm is the log's error. */
function otherAmount(attempt: Attempt, movement: Movement): Error {
  const said = `${movement.objectId} is of ${movement.amountCents} cents`;
  return new Error(`attempt ${attempt.id} ordered ${attempt.amountCents} cents, but the processor says that ${said}`);
}
