import type { Database } from '@tollgate/database/database';
import { compareDecimals, parseDecimal } from '@tollgate/kernel/decimal';
import type { Micros } from '@tollgate/kernel/money';
import type { Hold, Quantities } from './hold.ts';
import { captureHolds, lockHolds } from './sql-hold.ts';

/** An event that is to be paid from an authorization. */
export interface CaptureWish {
  readonly holdId: string;
  readonly askerId: string;
  readonly toolId: string;
  readonly bodyHash: string;
  readonly receivedAtMs: number;
  readonly quantities: Quantities;
  /** The most that the event can come to, for the account that pays. */
  bound(hold: Hold): Micros;
}

/**
 * - `captured`: its event may go into the log, also if an earlier request captured it with the same event;
 * - `absent`: no authorization of this asker for this tool has this id;
 * - `exceeded`: the event has more than was authorized;
 * - `conflict`: it was captured with another event;
 * - `not_open`: it is released, or has expired;
 * - `unknown`: an earlier request captured it with the same event, and whether that counts will be known soon.
 */
export type CaptureDecision =
  | { readonly kind: 'captured'; readonly hold: Hold }
  | { readonly kind: 'absent' | 'exceeded' | 'conflict' | 'not_open' | 'unknown' };

/** Captures in one transaction, before the append. The locks settle races of gateways, of a release and of the settler. */
export function captureAll(database: Database, wishes: readonly CaptureWish[]): Promise<CaptureDecision[]> {
  return database.transaction(async (tx) => {
    const holds = await lockHolds(tx, [...new Set(wishes.map(({ holdId }) => holdId))]);
    const holdOf = new Map(holds.map((hold) => [hold.holdId, hold]));
    const taken: CaptureWish[] = [];
    const decisions = wishes.map((wish) => {
      const hold = holdOf.get(wish.holdId);
      const decision = decideCapture(wish, hold);
      if (decision.kind === 'captured' && hold?.state === 'open') {
        taken.push(wish);
        holdOf.set(wish.holdId, { ...decision.hold, state: 'captured', bodyHash: wish.bodyHash });
      }
      return decision;
    });
    await captureHolds(tx, taken);
    return decisions;
  });
}

function decideCapture(wish: CaptureWish, hold: Hold | undefined): CaptureDecision {
  if (hold === undefined || hold.askerId !== wish.askerId || hold.toolId !== wish.toolId) return { kind: 'absent' };
  switch (hold.state) {
    case 'open':
      return decideFirst(wish, hold);
    case 'captured':
    case 'settled':
      return decideAgain(wish, hold);
    case 'released':
    case 'expired':
      return { kind: 'not_open' };
  }
}

function decideFirst(wish: CaptureWish, hold: Hold): CaptureDecision {
  if (wish.receivedAtMs >= hold.expiresAtMs) return { kind: 'not_open' };
  return isCovered(wish, hold) ? { kind: 'captured', hold } : { kind: 'exceeded' };
}

function decideAgain(wish: CaptureWish, hold: Hold): CaptureDecision {
  if (hold.bodyHash !== wish.bodyHash) return { kind: 'conflict' };
  const mayAppend = hold.state === 'captured' && wish.receivedAtMs < hold.expiresAtMs;
  return mayAppend ? { kind: 'captured', hold } : { kind: 'unknown' };
}

/** The bound is asked again: the price may be one that the authorizing gateway did not know yet. */
function isCovered({ quantities, bound }: CaptureWish, hold: Hold): boolean {
  const { durationMs, measures } = hold.max;
  if (quantities.durationMs > durationMs) return false;
  const isEach = Object.entries(quantities.measures).every(
    ([key, amount]) => compareDecimals(parseDecimal(amount), parseDecimal(measures[key] ?? '0')) <= 0,
  );
  return isEach && bound(hold) <= hold.micros;
}
