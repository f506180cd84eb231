import type { Database } from '@tollgate/database/database';
import type { AppError } from '@tollgate/kernel/app-error';
import { createMicroBatcher } from '@tollgate/runtime/timing/micro-batcher';
import { createCaptureAll, type CaptureDecision, type CaptureWish } from './authorizations/capture-holds.ts';
import type { HoldDecision } from './deciding/decide-holds.ts';
import type { HoldWish } from './authorizations/hold.ts';
import { undecided } from './deciding/refusals.ts';
import { settleAndTake, type SettleAndTakeDeps } from './settling/settle-and-take.ts';
import { takeHolds } from './authorizations/take-holds.ts';

/** Decides about money before it is spent. Each call is answered once, also when PostgreSQL is away. */
export interface Gate {
  take(wish: HoldWish, onDecision: (decision: HoldAnswer) => void): void;
  capture(wish: CaptureWish, onDecision: (decision: CaptureDecision | Unavailable) => void): void;
  idle(): Promise<void>;
}

export type HoldAnswer = Exclude<HoldDecision, { kind: 'no_row' }> | Unavailable;

export interface Unavailable {
  readonly kind: 'unavailable';
  readonly error: AppError;
}

export interface GateDeps extends SettleAndTakeDeps {
  readonly database: Database;
}

const batchLimits = { batchItemsMax: 1_000, batchBytesMax: Number.MAX_SAFE_INTEGER, sizeOf: () => 1 };
const takingLanes = 2;
/**
 * The time between two batches of a lane. A batch costs some 1.5 ms of CPU besides its wishes, so below full load fewer
 * of them leave more for the rest.
 */
const batchEveryMs = 8;
const cannotDecide = 'authorizations cannot be decided now; callers get 503';
/** A row may be missing again after it was made, or another gateway settles the account at the same moment. */
export const attemptsMax = 10;

interface Taking {
  readonly wish: HoldWish;
  readonly onDecision: (decision: HoldAnswer) => void;
}

interface Capturing {
  readonly wish: CaptureWish;
  readonly onDecision: (decision: CaptureDecision | Unavailable) => void;
}

/**
 * Decides in micro-batches: one transaction for all that wait. Wishes have two lanes, by account: while PostgreSQL commits
 * the batch of one, the other gathers. No lock of one lane is of the other's accounts.
 */
export function createGate(deps: GateDeps): Gate {
  const { database, log } = deps;
  const lanes = Array.from({ length: takingLanes }, () =>
    createMicroBatcher<Taking>({
      ...batchLimits,
      startsEveryMs: batchEveryMs,
      run: (items) => answerAll<HoldAnswer>(items, () => takeAll(items)),
    }),
  );
  const captureAll = createCaptureAll(database);
  const capturing = createMicroBatcher<Capturing>({
    ...batchLimits,
    startsEveryMs: batchEveryMs,
    run: (items) => answerAll<CaptureDecision>(items, () => captureAll(items.map(({ wish }) => wish))),
  });

  return {
    take: (wish, onDecision) => lanes[laneOf(wish)]?.add({ wish, onDecision }),
    capture: (wish, onDecision) => capturing.add({ wish, onDecision }),
    idle: async () => void (await Promise.all([...lanes, capturing].map((batcher) => batcher.idle()))),
  };

  async function takeAll(items: readonly Taking[]): Promise<HoldAnswer[]> {
    const answers = new Map<Taking, HoldAnswer>();
    const rowless: Taking[] = [];
    const onTaken = (askers: readonly Taking[], decisions: readonly HoldDecision[]) =>
      askers.forEach((asker, index) => {
        const decision = decisions[index];
        if (decision === undefined || decision.kind === 'no_row') rowless.push(asker);
        else answers.set(asker, decision);
      });
    const wishes = items.map(({ wish }) => wish);
    onTaken(items, await takeHolds(database, wishes, deps.fillBalances));
    let cause: unknown;
    try {
      for (let attempt = 2; rowless.length > 0 && attempt <= attemptsMax; attempt += 1)
        await settleAndTake(deps, rowless.splice(0), { anyWindow: attempt > 2, onTaken });
    } catch (error) {
      cause = error; // callers that have an answer have their holds too, whatever becomes of the others
      log.warn({ err: error, calls: items.length - answers.size }, cannotDecide);
    }
    return items.map((item) => answers.get(item) ?? unavailable(cause));
  }

  async function answerAll<Answer>(
    items: readonly { readonly onDecision: (answer: Answer | Unavailable) => void }[],
    decide: () => Promise<readonly Answer[]>,
  ): Promise<void> {
    let answers: readonly (Answer | Unavailable)[];
    try {
      answers = await decide();
    } catch (error) {
      log.warn({ err: error, calls: items.length }, cannotDecide);
      answers = items.map(() => unavailable(error));
    }
    items.forEach(({ onDecision }, index) => onDecision(answers[index] ?? unavailable(undefined)));
  }
}

/** Chooses the lane by the last digit of a random id. */
function laneOf({ accountId }: HoldWish): number {
  return accountId.charCodeAt(accountId.length - 1) % takingLanes;
}

function unavailable(cause: unknown): Unavailable {
  return { kind: 'unavailable', error: undecided(cause) };
}
