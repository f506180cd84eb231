import type { Transaction, Queryable } from '@tollgate/database/database';
import { wholeSlice, type TimeSlice } from '@tollgate/runtime/timing/time-slice';
import { AppError, isAppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { neverArrivedCode, startAttempt, type Attempt, type AttemptKind, type AttemptOrder } from './attempt.ts';
import {
  countAttempts,
  findAttemptOfObject,
  insertAttempt,
  listUnknownAttempts,
  type UnknownAttempt,
  lookAtAttemptLater,
  countOtherAmounts,
} from './sql-attempts.ts';
import { createFindExistingMovement, orderMovement, readMovement } from './attempt-movements.ts';
import { type ExistingMovement, type Movement, type Processor, CallRefused, isUnanswered } from './processor.ts';
import { createSettleAttempt, type SettleDeps, type SettleAttempt } from './settle-attempt.ts';

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

export interface LearnDeps extends Pick<SettleDeps, 'database' | 'clock' | 'log'> {
  readonly settle: SettleAttempt;
  readonly reach: ProcessorReach;
}

const lookAgainMs = 60_000;
/** For what another minute hardly changes, such as a wrong secret. */
const lookLaterMs = 10 * lookAgainMs;

/** Asks the processor and writes the answer down. Returns whether the outcome of the attempt is known now. */
function createLearnOutcome({ database, clock, log, settle, reach }: LearnDeps) {
  return async function learnOutcome(attempt: Attempt, call: () => Promise<Movement>): Promise<boolean> {
    let movement: Movement | undefined;
    try {
      movement = await call();
      reach.answered();
      if (movement.status !== 'pending') return await settle(attempt.id, movement);
      await postponeLookUp(attempt, { afterMs: lookAgainMs, objectId: movement.objectId });
    } catch (error) {
      if (movement === undefined && isUnanswered(error)) reach.unanswered();
      const { level, message, afterMs } = failureOf(error, movement);
      log[level]({ attempt: attempt.id, kind: attempt.kind, outcome: movement?.status, err: error }, message);
      await postponeLookUp(attempt, { afterMs }); // whatever the error, it must not hold up other attempts
    }
    return false;
  };

  async function postponeLookUp({ id }: Attempt, { afterMs, objectId }: LookUp): Promise<void> {
    const lookAtMs = clock.now() + afterMs;
    await lookAtAttemptLater(database, id, { lookAtMs, ...(objectId !== undefined && { objectId }) });
  }
}

interface LookUp {
  readonly afterMs: number;
  readonly objectId?: string | undefined;
}

/** The log line of a failure, which says what is certain, and the time until the next look. */
function failureOf(error: unknown, movement: Movement | undefined) {
  if (movement !== undefined) return { level: 'error', message: notWrittenMessage, afterMs: lookAgainMs } as const;
  if (isUnanswered(error)) return { level: 'warn', message: unknownMessage, afterMs: lookAgainMs } as const;
  const isCertain = error instanceof CallRefused || isAppError(error, 'not_found') || isKeyReused(error);
  if (isCertain) return { level: 'error', message: refusedMessage, afterMs: lookLaterMs } as const;
  return { level: 'error', message: unknownMessage, afterMs: lookAgainMs } as const;
}

function isKeyReused(error: unknown): boolean {
  return error instanceof AppError && error.code === 'idempotency_key_reused';
}

const unknownMessage = 'the outcome at the processor is unknown; it will be looked up';
const refusedMessage = 'the processor refuses the call, and no money moved; it is repeated every 10 minutes';
const notWrittenMessage = 'the outcome is known but could not be stored; it will be looked up again';

const awayAfter = 5;
const awayMs = 30_000;

/** Says whether the processor answers, judged by its last calls. */
interface ProcessorReach {
  /**
   * True after several calls in a row without an answer, for half a minute. Another call would probably wait in vain.
   */
  isAway(): boolean;
  answered(): void;
  unanswered(): void;
}

/**
 * Counts calls without an answer. Otherwise each of ten thousand orders would wait for its own time-out, and work
 * behind them for all of these. Each order would also leave an outcome to look up. After half a minute the next call
 * tries again, and one more failure is enough.
 */
function createProcessorReach(clock: Clock): ProcessorReach {
  let unansweredInRow = 0;
  let awayUntilMs = -Infinity;
  return {
    isAway: () => clock.now() < awayUntilMs,
    answered() {
      unansweredInRow = 0;
      awayUntilMs = -Infinity;
    },
    unanswered() {
      unansweredInRow += 1;
      if (unansweredInRow >= awayAfter) awayUntilMs = clock.now() + awayMs;
    },
  };
}

export interface ObserveAttemptsDeps {
  readonly database: Queryable;
  readonly metrics: Metrics;
}

/** Measures the attempts of which the processor has another amount (F118). It is never work by itself. */
export function createObserveAttempts({ database, metrics }: ObserveAttemptsDeps) {
  const otherAmounts = metrics.gauge(
    'tollgate_billing_attempts_of_other_amount',
    'Orders of which the processor has another amount than was ordered. Nothing of them is booked.',
  );
  return async function observeAttempts(): Promise<number> {
    otherAmounts.set(await countOtherAmounts(database));
    return 0;
  };
}
