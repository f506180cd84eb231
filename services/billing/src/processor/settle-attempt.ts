import type { Clock } from '@tollgate/kernel/clock';
import type { Database, Transaction } from '@tollgate/database/database';
import { afterMovement } from './after-movement.ts';
import type { Attempt, AttemptKind } from './attempt.ts';
import { lockAttempt, settleAttempt, type AttemptResult } from './sql-attempts.ts';
import type { ExistingMovement, Movement } from './processor.ts';

/**
 * Applies the outcome of an attempt to its subject and the ledger, in the transaction that stores the outcome. It is
 * called once per change of status: `settled.status` is the new status, `attempt.status` the one before.
 */
export type ApplyOutcome = (tx: Transaction, attempt: Attempt, settled: AttemptResult) => Promise<void>;

export interface TransferReturned {
  /** The part of the transfer that has come back until now, in cents. */
  readonly returnedCents: bigint;
  readonly atMs: number;
}

/** Books that a part of a transfer came back, or that its parts count no more. Safe to repeat. */
export type ApplyReturn = (tx: Transaction, attempt: Attempt, returned: TransferReturned) => Promise<void>;

export interface SettleDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly applyOutcome: Readonly<Record<AttemptKind, ApplyOutcome>>;
  readonly applyReturn: ApplyReturn;
}

/**
 * Writes down the outcome of an attempt together with its effect. Returns whether the status changed. Safe to repeat,
 * and to run twice at once.
 */
export function createSettleAttempt({ database, clock, applyOutcome, applyReturn }: SettleDeps) {
  return function settle(id: string, movement: Movement | ExistingMovement): Promise<boolean> {
    return database.transaction(async (tx) => {
      const attempt = await lockAttempt(tx, id);
      const status = afterMovement(attempt.status, movement.status);
      if (status === undefined) {
        await followReturn(tx, attempt, movement);
        return false;
      }
      if (movement.amountCents !== attempt.amountCents) throw otherAmount(attempt, movement);
      const { objectId, failureCode, feeCents } = movement;
      const result = { status, objectId, failureCode, feeCents, settledAtMs: clock.now() };
      await settleAttempt(tx, id, result);
      if (status === 'reversed') await followReturn(tx, attempt, { ...movement, returnedCents: 0n });
      await applyOutcome[attempt.kind](tx, attempt, result);
      if (status === 'succeeded') await followReturn(tx, { ...attempt, status }, movement);
      return true;
    });
  };

  /** A transfer that came back as a whole has an outcome of its own, so before it is applied its parts are undone. */
  async function followReturn(tx: Transaction, attempt: Attempt, movement: Movement | ExistingMovement): Promise<void> {
    const isTransfer = attempt.kind === 'transfer' && attempt.status === 'succeeded';
    if (!isTransfer || !('returnedCents' in movement)) return;
    await applyReturn(tx, attempt, { returnedCents: movement.returnedCents, atMs: clock.now() });
  }
}

/**
 * F61: impossible, since the key covers the amount. Nothing is written down; an error in the log alerts the operator.
 */
function otherAmount(attempt: Attempt, movement: Movement): Error {
  return new Error(
    `attempt ${attempt.id} ordered ${attempt.amountCents} cents, but ${movement.objectId} is of ${movement.amountCents} cents`,
  );
}
