import type { Transaction } from '@tollgate/database/database';
import { wholeSlice, type TimeSlice } from '@tollgate/runtime/timing/time-slice';
import { neverArrivedCode, startAttempt, type Attempt, type AttemptKind, type AttemptOrder } from './attempt.ts';
import {
  countAttempts,
  findAttemptOfObject,
  insertAttempt,
  listUnknownAttempts,
  type UnknownAttempt,
} from './sql-attempts.ts';
import { createFindExistingMovement, orderMovement, readMovement } from './attempt-movements.ts';
import { createLearnOutcome, lookAgainMs } from './learn-outcome.ts';
import type { ExistingMovement, Movement, Processor } from './processor.ts';
import { createProcessorReach } from './processor-reach.ts';
import { createSettleAttempt, type SettleDeps } from './settle-attempt.ts';

export interface AttemptsDeps extends SettleDeps {
  readonly processor: Processor;
  /** No call to the processor takes longer than this, by the machine's clock. */
  readonly callMsMax?: number;
}

/** Processors keep keys for at least 24 hours. Until then, repeating a key cannot move money twice. */
const keyLifeMs = 23 * 3_600_000;
const batchMax = 100;
const callerWaitsMs = 10_000;

/**
 * Creates the functions that give orders to the processor. All of them may run twice and at once.
 *
 * - `begin` stores an attempt in the caller's transaction. Lock the subject's row first, so that it has one attempt
 *   at a time.
 * - `carryOut` gives the order after that commit, and applies its outcome. `carryOutAll` gives several, for as long as their
 *   caller can wait; `resolve` gives the others a minute later. It first looks for an existing movement. A
 *   database restored from a backup has lost orders that were carried out, and the processor may have forgotten their
 *   keys (F91).
 * - `resolve` looks up attempts of unknown outcome, also after a crash. It gives the order again only under the same
 *   key, and only while the processor must still know that key. If nothing is there after that, the order never
 *   arrived, and the attempt has failed (F56, F57, F60). Returns how many attempts it settled.
 * - `refresh` reads one object again after a webhook or in the sweep. Returns the object if no order of ours made it.
 * - `isProcessorAway` says that the processor has not answered several times in a row.
 */
export function createAttempts(deps: AttemptsDeps) {
  const { database, clock, log, processor, callMsMax = 60_000 } = deps;
  const settle = createSettleAttempt(deps);
  const reach = createProcessorReach(clock);
  const learn = createLearnOutcome({ database, clock, log, settle, reach });
  const findExistingMovement = createFindExistingMovement(deps);

  async function begin(tx: Transaction, order: Omit<AttemptOrder, 'number'>): Promise<Attempt> {
    const number = (await countAttempts(tx, order.kind, order.subjectId)) + 1;
    const attempt = startAttempt({ ...order, number }, clock.now());
    await insertAttempt(tx, attempt, { processor: processor.name, lookAtMs: attempt.startedAtMs + lookAgainMs });
    return attempt;
  }

  async function carryOut(attempt: Attempt): Promise<void> {
    await learn(attempt, async () => (await findExistingMovement(attempt)) ?? orderMovement(processor, attempt));
  }

  async function carryOutAll(begun: readonly Attempt[]): Promise<void> {
    const untilMs = clock.monotonicMs() + callerWaitsMs;
    for (const attempt of begun) {
      await carryOut(attempt);
      if (reach.isAway() || clock.monotonicMs() >= untilMs) return;
    }
  }

  async function resolve(nowMs: number, slice: TimeSlice = wholeSlice): Promise<number> {
    let settled = 0;
    for (;;) {
      const query = { processor: processor.name, nowMs, limit: batchMax, callMsMax };
      const unknown = await listUnknownAttempts(database, query);
      for (const attempt of unknown) {
        if (reach.isAway()) return settled;
        if (await learn(attempt, () => lookUp(attempt, nowMs))) settled += 1;
        if (slice.hasTime()) continue;
        slice.leaveRest(); // each that was looked up waits a minute now, so the next slice begins with the others
        return settled;
      }
      if (unknown.length < batchMax) return settled;
    }
  }

  async function lookUp(attempt: UnknownAttempt, nowMs: number): Promise<Movement> {
    const found = await findExistingMovement(attempt);
    if (found) return found;
    return mayBeGiven(attempt, nowMs) ? orderMovement(processor, attempt) : neverArrived(attempt);
  }

  async function refresh(kind: AttemptKind, objectId: string): Promise<ExistingMovement | undefined> {
    const movement = await readMovement(processor, kind, objectId);
    const { attemptId } = movement;
    const id = await findAttemptOfObject(database, { processor: processor.name, kind, objectId, attemptId });
    if (id === undefined) return movement;
    await settle(id, movement);
    return undefined;
  }

  return { begin, carryOut, carryOutAll, resolve, refresh, isProcessorAway: reach.isAway };
}

export type Attempts = ReturnType<typeof createAttempts>;

/**
 * An order may be given again while the processor must still know its key. It also may while its first call may still
 * be on its way.
 */
function mayBeGiven({ startedAtMs, isLanded }: UnknownAttempt, nowMs: number): boolean {
  return nowMs - startedAtMs < keyLifeMs || !isLanded;
}

function neverArrived({ id: attemptId, amountCents, startedAtMs }: Attempt): Movement {
  const nothing = { objectId: undefined, feeCents: 0n, createdAtMs: startedAtMs };
  return { ...nothing, attemptId, amountCents, status: 'failed', failureCode: neverArrivedCode };
}
