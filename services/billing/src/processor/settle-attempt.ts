import type { Clock } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Database, Transaction } from '@tollgate/database/database';
import { unreachable } from '@tollgate/kernel/unreachable';
import type { Attempt, AttemptKind, AttemptStatus } from './attempt.ts';
import { lockAttempt, noteOtherAmount, settleAttempt, type AttemptResult } from './sql-attempts.ts';
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
  readonly log: Logger;
  readonly applyOutcome: Readonly<Record<AttemptKind, ApplyOutcome>>;
  readonly applyReturn: ApplyReturn;
}

const lookAgainMs = dayMs;

export type SettleAttempt = ReturnType<typeof createSettleAttempt>;

interface Settled {
  readonly isChanged?: true;
  /** The facts to log. */
  readonly alarm?: object | undefined;
  readonly refused?: object;
}

/**
 * Writes down the outcome of an attempt together with its effect. Returns whether the status changed. Safe to repeat,
 * and to run twice at once.
 *
 * A movement of another amount is impossible, since the key covers the amount (F61). If it comes all the same, nothing is
 * booked. The attempt keeps that amount, for the metric, and is looked at once a day. The log has it once (F118).
 */
export function createSettleAttempt({ database, clock, log, applyOutcome, applyReturn }: SettleDeps) {
  return async function settle(id: string, movement: Movement | ExistingMovement): Promise<boolean> {
    const settled = await database.transaction<Settled>(async (tx) => {
      const attempt = await lockAttempt(tx, id);
      const status = afterMovement(attempt.status, movement.status);
      if (status === undefined) {
        await followReturn(tx, attempt, movement);
        return {};
      }
      if (movement.amountCents !== attempt.amountCents) return { alarm: await noteOther(tx, attempt, movement) };
      const { objectId, failureCode, feeCents } = movement;
      const result = { status, objectId, failureCode, feeCents, settledAtMs: clock.now() };
      await settleAttempt(tx, id, result);
      if (status === 'reversed') await followReturn(tx, attempt, { ...movement, returnedCents: 0n });
      await applyOutcome[attempt.kind](tx, attempt, result);
      if (status === 'succeeded') await followReturn(tx, { ...attempt, status }, movement);
      return { isChanged: true, ...(status === 'failed' && { refused: refusedFacts(attempt, result) }) };
    });
    if (settled.alarm) log.error(settled.alarm, otherAmountMessage);
    if (settled.refused) log.warn(settled.refused, 'the processor refused an order');
    return settled.isChanged ?? false;
  };

  /** Returns what to log. Undefined if that was logged before. */
  async function noteOther(tx: Transaction, attempt: Attempt, movement: Movement): Promise<object | undefined> {
    const { id, kind, subjectId, amountCents } = attempt;
    const { amountCents: cents, objectId, status } = movement;
    const isNews = await noteOtherAmount(tx, id, { cents, lookAtMs: clock.now() + lookAgainMs });
    const facts = { attempt: id, kind, subject: subjectId, object: objectId, status };
    return isNews ? { ...facts, ordered_cents: String(amountCents), moved_cents: String(cents) } : undefined;
  }

  /** A transfer that came back as a whole has an outcome of its own, so before it is applied its parts are undone. */
  async function followReturn(tx: Transaction, attempt: Attempt, movement: Movement | ExistingMovement): Promise<void> {
    const isTransfer = attempt.kind === 'transfer' && attempt.status === 'succeeded';
    if (!isTransfer || !('returnedCents' in movement)) return;
    await applyReturn(tx, attempt, { returnedCents: movement.returnedCents, atMs: clock.now() });
  }
}

function refusedFacts({ id, kind, subjectId }: Attempt, { objectId, failureCode }: AttemptResult): object {
  return { attempt: id, kind, subject: subjectId, object: objectId, code: failureCode };
}

const otherAmountMessage = 'the processor has another amount than was ordered: nothing is booked, a person must decide';

export type MovedStatus = 'pending' | 'succeeded' | 'failed' | 'reversed';

/**
 * The next status of an attempt when the processor reports `moved`. Undefined if nothing changes: a late report never
 * takes a status back.
 */
function afterMovement(status: AttemptStatus, moved: MovedStatus): Exclude<AttemptStatus, 'unknown'> | undefined {
  if (moved === 'pending') return undefined;
  switch (status) {
    case 'unknown':
      return moved;
    case 'failed':
      return moved === 'failed' ? undefined : moved;
    case 'succeeded':
      return moved === 'reversed' ? moved : undefined;
    case 'reversed':
      return undefined;
    default:
      return unreachable(status);
  }
}
