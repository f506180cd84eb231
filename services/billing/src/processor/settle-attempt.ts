import type { Clock } from '@tollgate/kernel/clock';
import type { Database, Transaction } from '@tollgate/database/database';
import { afterMovement } from './after-movement.ts';
import type { Attempt, AttemptKind } from './attempt.ts';
import { lockAttempt, settleAttempt, type AttemptResult } from './sql-attempts.ts';
import type { Movement } from './processor.ts';

/**
 * Applies the outcome of an attempt to its subject and the ledger, in the transaction that stores the outcome. It is
 * called once per change of status: `settled.status` is the new status, `attempt.status` the one before.
 */
export type ApplyOutcome = (tx: Transaction, attempt: Attempt, settled: AttemptResult) => Promise<void>;

export interface SettleDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly applyOutcome: Readonly<Record<AttemptKind, ApplyOutcome>>;
}

/**
 * Writes down the outcome of an attempt together with its effect. Returns whether the status changed. Safe to repeat,
 * and to run twice at once.
 */
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

/**
 * F61: impossible, since the key covers the amount. Nothing is written down; an error in the log alerts the operator.
 */
function otherAmount(attempt: Attempt, movement: Movement): Error {
  return new Error(
    `attempt ${attempt.id} ordered ${attempt.amountCents} cents, but ${movement.objectId} is of ${movement.amountCents} cents`,
  );
}
