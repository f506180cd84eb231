import { isAppError } from '@tollgate/kernel/app-error';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Transaction } from '@tollgate/database/database';
import { neverMadeCode, startAttempt, type Attempt, type AttemptKind, type AttemptOrder } from './attempt.ts';
import {
  countAttempts,
  findAttemptOfObject,
  insertAttempt,
  listUnknownAttempts,
  lookAtAttemptLater,
  type UnknownAttempt,
} from './sql-attempts.ts';
import { createFindMade, orderMovement, readMovement } from './attempt-movements.ts';
import type { Movement, Processor } from './processor.ts';
import { createProcessorReach } from './processor-reach.ts';
import { createSettleAttempt, type SettleDeps } from './settle-attempt.ts';

export interface AttemptsDeps extends SettleDeps {
  readonly log: Logger;
  readonly processor: Processor;
  /** No call to the processor takes longer, by the machine's clock. */
  readonly callMsMax?: number;
}

const unknownMessage = 'the outcome at the processor is unknown; it will be looked up';
const lookAgainMs = 60_000;
/** Processors keep keys for 24 hours at least. While they do, the same key cannot do the same twice. */
const keyLifeMs = 23 * 3_600_000;
const batchMax = 100;

/**
 * Orders to the processor. `begin` stores one in the caller's transaction; after its commit `carryOut` gives it, and
 * writes down what came of it together with its effect. It looks first: a database that went back by a backup has lost
 * orders that were carried out, whose keys the processor may have forgotten since (F91). Where the outcome stays unknown,
 * or the process dies, `resolve` looks it up, and gives the order again with the same key only while the processor must
 * still know that key; after that, what is not there never arrived, and the attempt has failed (F56, F57, F60). Safe to
 * run twice and at once.
 */
export function createAttempts(deps: AttemptsDeps) {
  const { database, clock, log, processor, callMsMax = 60_000 } = deps;
  const settle = createSettleAttempt(deps);
  const reach = createProcessorReach(clock);
  const findMade = createFindMade(deps);

  /** The subject's row must be locked, so that it has one attempt at a time. */
  async function begin(tx: Transaction, order: Omit<AttemptOrder, 'number'>): Promise<Attempt> {
    const number = (await countAttempts(tx, order.kind, order.subjectId)) + 1;
    const attempt = startAttempt({ ...order, number }, clock.now());
    await insertAttempt(tx, attempt, { processor: processor.name, lookAtMs: attempt.startedAtMs + lookAgainMs });
    return attempt;
  }

  async function carryOut(attempt: Attempt): Promise<void> {
    await learn(attempt, async () => (await findMade(attempt)) ?? orderMovement(processor, attempt));
  }

  /** Those whose time to be looked up has come; how many of them are settled now. */
  async function resolve(nowMs: number): Promise<number> {
    let settled = 0;
    for (;;) {
      const which = { processor: processor.name, nowMs, limit: batchMax, callMsMax };
      const unknown = await listUnknownAttempts(database, which);
      for (const attempt of unknown) {
        if (reach.isAway()) return settled;
        if (await learn(attempt, () => lookUp(attempt, nowMs))) settled += 1;
      }
      if (unknown.length < batchMax) return settled;
    }
  }

  async function lookUp(attempt: UnknownAttempt, nowMs: number): Promise<Movement> {
    const found = await findMade(attempt);
    if (found) return found;
    return mayBeGiven(attempt, nowMs) ? orderMovement(processor, attempt) : neverMade(attempt);
  }

  /** The processor has told of one of its objects: read again, whatever it told. Not ours: no matter. */
  async function refresh(kind: AttemptKind, objectId: string): Promise<void> {
    const movement = await readMovement(processor, kind, objectId);
    const { attemptId } = movement;
    const id = await findAttemptOfObject(database, { processor: processor.name, kind, objectId, attemptId });
    if (id !== undefined) await settle(id, movement);
  }

  /** Whether the outcome is known now. */
  async function learn(attempt: Attempt, ask: () => Promise<Movement>): Promise<boolean> {
    try {
      const movement = await ask();
      reach.answered();
      if (movement.status !== 'pending') return await settle(attempt.id, movement);
      await lookLater(attempt, movement.objectId);
    } catch (error) {
      const isWeather = isAppError(error, 'unavailable');
      if (isWeather) reach.unanswered();
      log[isWeather ? 'warn' : 'error']({ attempt: attempt.id, kind: attempt.kind, err: error }, unknownMessage);
      await lookLater(attempt, undefined); // whatever it is, it holds up no other
    }
    return false;
  }

  async function lookLater({ id }: Attempt, objectId: string | undefined): Promise<void> {
    const lookAtMs = clock.now() + lookAgainMs;
    await lookAtAttemptLater(database, id, { lookAtMs, ...(objectId !== undefined && { objectId }) });
  }

  return { begin, carryOut, resolve, refresh, isProcessorAway: reach.isAway };
}

export type Attempts = ReturnType<typeof createAttempts>;

/** The processor must still know its key, or its first call may still be on its way there. */
function mayBeGiven({ startedAtMs, isLanded }: UnknownAttempt, nowMs: number): boolean {
  return nowMs - startedAtMs < keyLifeMs || !isLanded;
}

function neverMade({ id: attemptId, amountCents, startedAtMs }: Attempt): Movement {
  const nothing = { objectId: undefined, feeCents: 0n, createdAtMs: startedAtMs };
  return { ...nothing, attemptId, amountCents, status: 'failed', failureCode: neverMadeCode };
}
