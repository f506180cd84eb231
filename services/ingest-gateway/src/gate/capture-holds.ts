import type { Database, Transaction } from '@tollgate/database/database';
import { compareDecimals, parseDecimal } from '@tollgate/kernel/decimal';
import { capturedEventId } from '@tollgate/kernel/event-id';
import { micros, type Micros } from '@tollgate/kernel/money';
import { uuidV8 } from '@tollgate/kernel/uuid';
import { isBook, openCallsOf, type Hold, type Quantities } from './hold.ts';
import { captureCalls, captureHolds, findHolds, lockHolds, type CallCapture, type Capture } from './sql-hold.ts';

/** An event that is to be paid from an authorization. */
export interface CaptureWish {
  readonly holdId: string;
  /** Of a book: which of its calls. */
  readonly callIndex: number | undefined;
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
 * - `no_call`: a book needs an index below its count, and an authorization for one call has none;
 * - `exceeded`: the event has more than was authorized;
 * - `conflict`: it was captured with another event;
 * - `not_open`: it is released, or has expired;
 * - `unknown`: an earlier request captured it with the same event, and whether that counts will be known soon.
 */
export type CaptureDecision =
  | { readonly kind: 'captured'; readonly hold: Hold }
  | { readonly kind: 'no_call'; readonly hold: Hold }
  | { readonly kind: 'absent' | 'exceeded' | 'conflict' | 'not_open' | 'unknown' };

/** Captures in one transaction, before the append. The locks settle races of gateways, of a release and of the settler. */
export function captureAll(database: Database, wishes: readonly CaptureWish[]): Promise<CaptureDecision[]> {
  return database.transaction(
    async (tx) => {
      const holdOf = await lockCaptured(tx, wishes);
      const singles: Capture[] = [];
      const calls: CallCapture[] = [];
      const decisions = wishes.map((wish) => {
        const hold = holdOf.get(wish.holdId);
        const decision = decideCapture(wish, hold, holdOf.get(callHoldIdOf(wish)));
        if (decision.kind !== 'captured' || decision.hold.state !== 'open') return decision;
        const captured = { ...decision.hold, state: 'captured' as const, bodyHash: wish.bodyHash };
        holdOf.set(captured.holdId, captured);
        if (captured.bookId === null) singles.push(wish);
        else {
          calls.push({ ...captured, bookId: captured.bookId, bodyHash: wish.bodyHash });
          if (hold !== undefined) holdOf.set(hold.holdId, withoutCall(hold, captured));
        }
        return decision;
      });
      await Promise.all([captureHolds(tx, singles, calls.length === 0 ? 'last' : undefined), captureCalls(tx, calls)]);
      return decisions;
    },
    { startsWithRead: true },
  );
}

/** The calls are read after their books are locked: whoever had the lock before us has stored its calls. */
async function lockCaptured(tx: Transaction, wishes: readonly CaptureWish[]): Promise<Map<string, Hold>> {
  const ofBooks = wishes.filter(({ callIndex }) => callIndex !== undefined);
  const [holds, calls] = await Promise.all([
    lockHolds(tx, [...new Set(wishes.map(({ holdId }) => holdId))]),
    findHolds(
      tx,
      ofBooks.map((wish) => callHoldIdOf(wish)),
    ),
  ]);
  return new Map([...holds, ...calls].map((hold) => [hold.holdId, hold]));
}

/** The id of the hold that a call of a book gets. */
function callHoldIdOf({ holdId, callIndex = 0 }: Pick<CaptureWish, 'holdId' | 'callIndex'>): string {
  return uuidV8('call', holdId, String(callIndex));
}

function decideCapture(wish: CaptureWish, hold: Hold | undefined, call: Hold | undefined): CaptureDecision {
  if (hold === undefined || hold.askerId !== wish.askerId || hold.toolId !== wish.toolId) return { kind: 'absent' };
  if (!isBook(hold)) return wish.callIndex === undefined ? decideSingle(wish, hold) : { kind: 'no_call', hold };
  if (wish.callIndex === undefined || wish.callIndex >= hold.callCount) return { kind: 'no_call', hold };
  return decideSingle(wish, call ?? callOf(hold, wish.callIndex));
}

/** A call of a book that nobody has captured yet, with its share of what the book holds. */
function callOf(book: Hold, callIndex: number): Hold {
  const { holdId: bookId, askerId } = book;
  const holdId = callHoldIdOf({ holdId: bookId, callIndex });
  const eventId = capturedEventId(bookId, askerId, callIndex);
  const { eachMicros } = openCallsOf(book);
  return { ...book, holdId, bookId, eventId, micros: micros(eachMicros), callCount: 1, capturedCount: 0 };
}

function withoutCall(book: Hold, call: Hold): Hold {
  return { ...book, micros: micros(book.micros - call.micros), capturedCount: book.capturedCount + 1 };
}

function decideSingle(wish: CaptureWish, hold: Hold): CaptureDecision {
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
