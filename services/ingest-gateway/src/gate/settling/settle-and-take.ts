import { isAppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { capsOfAnyWindow } from '../caps/account-caps.ts';
import type { FillBalances } from '../caps/balance-caps.ts';
import type { WishedLine } from '../deciding/call-lines.ts';
import type { HoldDecision } from '../deciding/decide-holds.ts';
import { capKeyOf, type CapWish, type HoldWish } from '../authorizations/hold.ts';
import { lineKeyOf } from './lines.ts';
import type { AccountToSettle } from './read-settlement-facts.ts';
import type { SettleAccounts } from './settle-accounts.ts';
import { settleInParts } from './settle-in-parts.ts';
import { takeInForce } from '../authorizations/take-holds.ts';

export interface SettleAndTakeDeps {
  readonly settleAccounts: SettleAccounts;
  readonly fillBalances: FillBalances;
  readonly clock: Clock;
  readonly log: Logger;
}

/** One that asks, with its wish. */
export interface Asking {
  readonly wish: HoldWish;
}

export interface HowToTake<Asker extends Asking> {
  /** Whether rows are made for every window, since the rows that were asked for were made in vain. */
  readonly anyWindow: boolean;
  /** Hears of each part as soon as its holds are stored: a later part may fail. Of an account that cannot be settled, nothing. */
  readonly onTaken: (askers: readonly Asker[], decisions: readonly HoldDecision[]) => void;
}

/**
 * Decides about wishes whose caps lack a row. A settlement makes the rows, since it knows what is spent, and takes the holds in
 * its transaction: before anybody can change the caps again. If another gateway settles an account just now, that has made rows.
 */
export async function settleAndTake<Asker extends Asking>(
  { settleAccounts, fillBalances, clock, log }: SettleAndTakeDeps,
  askers: readonly Asker[],
  { anyWindow, onTaken }: HowToTake<Asker>,
): Promise<void> {
  const settleOnePart: SettleAccounts = async (part, nowMs) => {
    const accountIds = new Set(part.map(({ accountId }) => accountId));
    const ofPart = askers.filter(({ wish }) => accountIds.has(wish.accountId));
    let decisions: readonly HoldDecision[] = [];
    const unfinished = await settleAccounts(part, nowMs, async (tx) => {
      decisions = await takeInForce(tx, ofPart.map(wishOf), fillBalances);
    });
    onTaken(ofPart, decisions); // after the commit: a transaction may be tried again
    return unfinished;
  };
  const accounts = toAccounts(askers.map(wishOf), anyWindow ? capsOfAnyWindow : ({ caps }) => caps);
  await settleInParts({ settleAccounts: settleOnePart, log, triesEach: isDefect }, accounts, clock.now());
}

function wishOf({ wish }: Asking): HoldWish {
  return wish;
}

function toAccounts(wishes: readonly HoldWish[], capsOf: (wish: HoldWish) => readonly CapWish[]) {
  return [...Map.groupBy(wishes, ({ accountId }) => accountId)].map(([accountId, ofAccount]): AccountToSettle => {
    const wished = new Map(ofAccount.flatMap(capsOf).map((cap) => [capKeyOf(cap), cap]));
    const lines = new Map(ofAccount.flatMap(linesOf).map((line) => [lineKeyOf(line), line]));
    return { accountId, wished: [...wished.values()], wishedLines: [...lines.values()] };
  });
}

function linesOf({ lines }: HoldWish): readonly WishedLine[] {
  return lines?.each ?? [];
}

/** An absent PostgreSQL is no defect: then nobody waits until each account has been tried. */
function isDefect(error: unknown): boolean {
  return !isAppError(error, 'unavailable');
}
