import type { Database } from '@tollgate/database/database';
import { isAppError, type AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { createMicroBatcher } from '@tollgate/runtime/timing/micro-batcher';
import type { FillBalances } from './balance-caps.ts';
import { createCaptureAll, type CaptureDecision, type CaptureWish } from './capture-holds.ts';
import type { HoldDecision } from './decide-holds.ts';
import { capKeyOf, type HoldWish } from './hold.ts';
import { lineKeyOf } from './lines.ts';
import { undecided } from './refusals.ts';
import type { SettleAccounts } from './settle-accounts.ts';
import { settleInParts } from './settle-in-parts.ts';
import { takeHolds } from './take-holds.ts';

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

export interface GateDeps {
  readonly database: Database;
  readonly settleAccounts: SettleAccounts;
  readonly fillBalances: FillBalances;
  readonly clock: Clock;
  readonly log: Logger;
}

const batchLimits = { batchItemsMax: 1_000, batchBytesMax: Number.MAX_SAFE_INTEGER, sizeOf: () => 1 };
const takingLanes = 2;
/** Of a lane. A batch costs some 1.5 ms of CPU besides its wishes, so below full load fewer of them leave more for the rest. */
const batchEveryMs = 8;
/** A row may be missing again after it was made: its budget changed meanwhile. */
export const attemptsMax = 3;

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
export function createGate({ database, settleAccounts, fillBalances, clock, log }: GateDeps): Gate {
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
    for (let attempt = 1; answers.size < items.length && attempt <= attemptsMax; attempt += 1) {
      const open = items.filter((item) => !answers.has(item));
      if (attempt > 1) await makeRows(open);
      const decisions = await takeHolds(
        database,
        open.map(({ wish }) => wish),
        fillBalances,
      );
      open.forEach((item, index) => {
        const decision = decisions[index];
        if (decision !== undefined && decision.kind !== 'no_row') answers.set(item, decision);
      });
    }
    return items.map((item) => answers.get(item) ?? unavailable(undefined));
  }

  /** A settlement makes the rows, since it knows what is spent. */
  async function makeRows(items: readonly Taking[]): Promise<void> {
    const byAccount = Map.groupBy(items, ({ wish }) => wish.accountId);
    const accounts = [...byAccount].map(([accountId, ofAccount]) => {
      const wished = new Map(ofAccount.flatMap(({ wish }) => wish.caps).map((cap) => [capKeyOf(cap), cap]));
      const lines = ofAccount
        .flatMap(({ wish }) => wish.lines?.each ?? [])
        .map((line) => [lineKeyOf(line), line] as const);
      return { accountId, wished: [...wished.values()], wishedLines: [...new Map(lines).values()] };
    });
    await settleInParts({ settleAccounts, log, triesEach: isDefect }, accounts, clock.now());
  }

  async function answerAll<Answer>(
    items: readonly { readonly onDecision: (answer: Answer | Unavailable) => void }[],
    decide: () => Promise<readonly Answer[]>,
  ): Promise<void> {
    let answers: readonly (Answer | Unavailable)[];
    try {
      answers = await decide();
    } catch (error) {
      log.warn({ err: error, calls: items.length }, 'the gate cannot decide now, its callers get 503');
      answers = items.map(() => unavailable(error));
    }
    items.forEach(({ onDecision }, index) => onDecision(answers[index] ?? unavailable(undefined)));
  }
}

/** Not PostgreSQL being away: then nobody waits until each account has been tried. */
function isDefect(error: unknown): boolean {
  return !isAppError(error, 'unavailable');
}

/** By the last digit of a random id. */
function laneOf({ accountId }: HoldWish): number {
  return accountId.charCodeAt(accountId.length - 1) % takingLanes;
}

function unavailable(cause: unknown): Unavailable {
  return { kind: 'unavailable', error: undecided(cause) };
}
