import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { unreachable } from '@tollgate/kernel/unreachable';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Database, Transaction } from '@tollgate/runtime/postgres/database';
import { afterMovement } from '../domain/attempts/after-movement.ts';
import { startAttempt, type Attempt, type AttemptKind, type AttemptOrder } from '../domain/attempts/attempt.ts';
import {
  countAttempts,
  findAttemptOfObject,
  insertAttempt,
  listUnknownAttempts,
  lockAttempt,
  lookAtAttemptLater,
  settleAttempt,
  type AttemptResult,
  type UnknownAttempt,
} from '../sql/attempts.ts';
import type { Movement, Processor } from './processor.ts';

/**
 * What the outcome of an attempt does to its subject and the ledger, in the transaction that writes the outcome down. It is
 * called once for each change of status: `settled.status` is the new one, `attempt.status` the one before.
 */
export type ApplyOutcome = (tx: Transaction, attempt: Attempt, settled: AttemptResult) => Promise<void>;

export interface AttemptsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly processor: Processor;
  readonly applyOutcome: Readonly<Record<AttemptKind, ApplyOutcome>>;
  /** No call to the processor takes longer, by the machine's clock. */
  readonly callMsMax?: number;
}

const lookAgainMs = 60_000;
/** Processors keep keys for 24 hours at least. While they do, the same key cannot do the same twice. */
const keyLifeMs = 23 * 3_600_000;
const batchMax = 100;

/**
 * Orders to the processor. `begin` stores one in the caller's transaction; after its commit `carryOut` gives it, and
 * writes down what came of it together with its effect. Where the outcome stays unknown, or the process dies, `resolve`
 * looks it up first, and gives the order again with the same key only while the processor must still know that key; after
 * that, what is not there never arrived, and the attempt has failed (F56, F57, F60). Safe to run twice and at once.
 */
export function createAttempts(deps: AttemptsDeps) {
  const { database, clock, log, processor, applyOutcome, callMsMax = 60_000 } = deps;

  /** The subject's row must be locked, so that it has one attempt at a time. */
  async function begin(tx: Transaction, order: Omit<AttemptOrder, 'number'>): Promise<Attempt> {
    const number = (await countAttempts(tx, order.kind, order.subjectId)) + 1;
    const attempt = startAttempt({ ...order, number }, clock.now());
    await insertAttempt(tx, attempt, { processor: processor.name, lookAtMs: attempt.startedAtMs + lookAgainMs });
    return attempt;
  }

  async function carryOut(attempt: Attempt): Promise<void> {
    await learn(attempt, () => order(processor, attempt));
  }

  /** Those whose time to be looked up has come; how many of them are settled now. */
  async function resolve(nowMs: number): Promise<number> {
    let settled = 0;
    for (;;) {
      const which = { processor: processor.name, nowMs, limit: batchMax, callMsMax };
      const unknown = await listUnknownAttempts(database, which);
      for (const attempt of unknown) if (await learn(attempt, () => lookUp(attempt, nowMs))) settled += 1;
      if (unknown.length < batchMax) return settled;
    }
  }

  async function lookUp(attempt: UnknownAttempt, nowMs: number): Promise<Movement> {
    const found = await find(processor, attempt);
    if (found) return found;
    const isKeyGone = nowMs - attempt.startedAtMs >= keyLifeMs;
    if (!isKeyGone || !attempt.isLanded) return order(processor, attempt);
    return neverMade(attempt);
  }

  /** The processor has told of one of its objects: read again, whatever it told. Not ours: no matter. */
  async function refresh(kind: AttemptKind, objectId: string): Promise<void> {
    const movement = await movementsOf(processor, kind).read(objectId);
    const id = movement.attemptId ?? (await findAttemptOfObject(database, { processor: processor.name, objectId }));
    if (id !== undefined) await settle(id, movement);
  }

  /** Whether the outcome is known now. */
  async function learn(attempt: Attempt, ask: () => Promise<Movement>): Promise<boolean> {
    try {
      const movement = await ask();
      if (movement.status !== 'pending') return await settle(attempt.id, movement);
      await lookLater(attempt, movement.objectId);
    } catch (error) {
      const isWeather = error instanceof AppError && error.kind === 'unavailable';
      const context = { attempt: attempt.id, kind: attempt.kind, err: error };
      log[isWeather ? 'warn' : 'error'](context, 'the outcome at the processor is unknown; it will be looked up');
      await lookLater(attempt, undefined); // whatever it is, it holds up no other
    }
    return false;
  }

  async function lookLater({ id }: Attempt, objectId: string | undefined): Promise<void> {
    const lookAtMs = clock.now() + lookAgainMs;
    await lookAtAttemptLater(database, id, { lookAtMs, ...(objectId !== undefined && { objectId }) });
  }

  async function settle(id: string, movement: Movement): Promise<boolean> {
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
  }

  return { begin, carryOut, resolve, refresh };
}

export type Attempts = ReturnType<typeof createAttempts>;

function movementsOf(processor: Processor, kind: AttemptKind) {
  switch (kind) {
    case 'charge':
      return processor.charges;
    case 'refund':
      return processor.refunds;
    case 'transfer':
      return processor.transfers;
    default:
      return unreachable(kind);
  }
}

function order(processor: Processor, attempt: Attempt): Promise<Movement> {
  return visit(processor, attempt, 'create') as Promise<Movement>;
}

function find(processor: Processor, attempt: Attempt): Promise<Movement | undefined> {
  return visit(processor, attempt, 'find');
}

function visit(processor: Processor, attempt: Attempt, method: 'create' | 'find'): Promise<Movement | undefined> {
  const { id: attemptId, idempotencyKey, amountCents, kind, subjectId, partyId, paymentMethodId } = attempt;
  const common = { attemptId, idempotencyKey, amountCents };
  switch (kind) {
    case 'charge': {
      if (paymentMethodId === null) throw new Error(`attempt ${attemptId} has nothing to charge`);
      const charge = { ...common, processorCustomerId: partyId, paymentMethodId, invoiceId: subjectId };
      return processor.charges[method](charge);
    }
    case 'refund':
      return processor.refunds[method]({ ...common, chargeObjectId: partyId, refundId: subjectId });
    case 'transfer':
      return processor.transfers[method]({ ...common, processorAccountId: partyId, payoutId: subjectId });
    default:
      return unreachable(kind);
  }
}

function neverMade({ id: attemptId, amountCents, startedAtMs }: Attempt): Movement {
  const nothing = { objectId: undefined, feeCents: 0n, createdAtMs: startedAtMs };
  return { ...nothing, attemptId, amountCents, status: 'failed', failureCode: 'never_made' };
}

/** F61: cannot be, since the key covers the amount. Nothing is written down; the alarm is the log's error. */
function otherAmount(attempt: Attempt, movement: Movement): Error {
  const said = `${movement.objectId} is of ${movement.amountCents} cents`;
  return new Error(`attempt ${attempt.id} ordered ${attempt.amountCents} cents, but the processor says that ${said}`);
}
