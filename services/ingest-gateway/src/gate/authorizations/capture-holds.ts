import type { Database, Transaction } from '@tollgate/database/database';
import { isWorthAnotherTry, uniqueViolationTableOf } from '@tollgate/database/pg-error';
import { compareDecimals, parseDecimal } from '@tollgate/kernel/decimal';
import type { Micros } from '@tollgate/kernel/money';
import { LRUCache } from 'lru-cache';
import { capturedKeyOf, isBook, type Hold, type Quantities } from './hold.ts';
import { captureCalls, findCapturedCalls, type CallCapture } from './sql-call.ts';
import { captureHolds, lockHolds } from './sql-hold.ts';

/** An event that is to be paid from an authorization. */
export interface CaptureWish {
  readonly holdId: string;
  /** The index of the call in its book. */
  readonly callIndex: number | undefined;
  readonly eventId: string;
  readonly askerId: string;
  readonly toolId: string;
  readonly bodyHash: string;
  readonly receivedAtMs: number;
  readonly quantities: Quantities;
  /** The most that the event can come to, for the account that pays, whatever was used before. */
  bound(hold: Hold): Micros;
  /** The line that the event falls into. */
  lineKey(hold: Hold): string | undefined;
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

/** Captures before the append. The locks settle races of gateways, of a release and of the settler. */
export type CaptureAll = (wishes: readonly CaptureWish[]) => Promise<CaptureDecision[]>;

interface KnownCall extends CallCapture {
  readonly book: Hold;
}

const knownBooksMax = 10_000;

/**
 * A gateway remembers the books that it has read: who may capture their calls, of which tool, and how much each may have. None
 * of it gets less until the book expires. So one statement captures the calls of known books; it compares only what may have
 * changed. If it leaves one out, all are decided as the others are: in a transaction that locks and reads, and finds those
 * captured that the statement had captured.
 */
export function createCaptureAll(database: Database): CaptureAll {
  const books = new LRUCache<string, Hold>({ max: knownBooksMax });

  return async function captureAll(wishes) {
    const known = knownCallsOf(wishes);
    const decisions = new Map<CaptureWish, CaptureDecision>();
    if (await captureKnown([...known.values()]))
      for (const [wish, { book }] of known) decisions.set(wish, { kind: 'captured', hold: book });
    const left = wishes.filter((wish) => !decisions.has(wish));
    if (left.length > 0) (await decideLocked(left)).forEach((decision, wish) => decisions.set(wish, decision));
    return wishes.map((wish) => decisions.get(wish) ?? { kind: 'unknown' });
  };

  function remember(hold: Hold): void {
    if (isBook(hold) && hold.state === 'open') books.set(hold.holdId, { ...hold, settledCalls: '' });
    else books.delete(hold.holdId);
  }

  async function captureKnown(calls: readonly KnownCall[]): Promise<boolean> {
    try {
      return await captureCalls(database, calls);
    } catch (error) {
      if (uniqueViolationTableOf(error) === 'captured_call' || isWorthAnotherTry(error)) return false;
      throw error;
    }
  }

  /** A call twice in one batch: the second is compared with the first, in the transaction. */
  function knownCallsOf(wishes: readonly CaptureWish[]): Map<CaptureWish, KnownCall> {
    const eventIds = new Set<string>();
    const known = new Map<CaptureWish, KnownCall>();
    for (const wish of wishes) {
      const book = books.get(wish.holdId);
      if (book === undefined || eventIds.has(wish.eventId) || !isHoldOf(wish, book)) continue;
      if (!hasCall(wish, book) || decideFirst(wish, book).kind !== 'captured') continue;
      eventIds.add(wish.eventId);
      known.set(wish, { ...toCall(wish, book), book });
    }
    return known;
  }

  function decideLocked(wishes: readonly CaptureWish[]): Promise<Map<CaptureWish, CaptureDecision>> {
    return database.transaction(
      async (tx) => {
        const { holds, calls } = await lockCaptured(tx, wishes);
        for (const hold of holds.values()) remember(hold);
        return decideAndCapture(tx, wishes, { holds, calls });
      },
      { startsWithRead: true },
    );
  }
}

interface Stored {
  readonly holds: Map<string, Hold>;
  /** The hashes of captured calls, by book and index. */
  readonly calls: Map<string, string>;
}

/** The calls are read after their books are locked: whoever had the lock before us has stored its calls. */
async function lockCaptured(tx: Transaction, wishes: readonly CaptureWish[]): Promise<Stored> {
  const ofBooks = wishes.flatMap(({ holdId, callIndex }) => (callIndex === undefined ? [] : [{ holdId, callIndex }]));
  const [holds, calls] = await Promise.all([
    lockHolds(tx, [...new Set(wishes.map(({ holdId }) => holdId))]),
    findCapturedCalls(tx, ofBooks),
  ]);
  return {
    holds: new Map(holds.map((hold) => [hold.holdId, hold])),
    calls: new Map(calls.map((call) => [capturedKeyOf(call), call.bodyHash])),
  };
}

async function decideAndCapture(
  tx: Transaction,
  wishes: readonly CaptureWish[],
  { holds, calls }: Stored,
): Promise<Map<CaptureWish, CaptureDecision>> {
  const newSingles: CaptureWish[] = [];
  const newCalls: CallCapture[] = [];
  const decisions = new Map<CaptureWish, CaptureDecision>();
  for (const wish of wishes) {
    const hold = holds.get(wish.holdId);
    const key = capturedKeyOf({ holdId: wish.holdId, callIndex: wish.callIndex ?? null });
    const decision = decideCapture(wish, hold, calls.get(key));
    decisions.set(wish, decision);
    if (hold === undefined || decision.kind !== 'captured') continue;
    if (isBook(hold)) {
      if (!calls.has(key)) newCalls.push(toCall(wish, hold));
      calls.set(key, wish.bodyHash);
    } else if (hold.state === 'open') {
      newSingles.push(wish);
      holds.set(hold.holdId, { ...hold, state: 'captured', bodyHash: wish.bodyHash });
    }
  }
  const [isEach] = await Promise.all([
    captureCalls(tx, newCalls),
    captureHolds(tx, newSingles, newCalls.length === 0 ? 'last' : undefined),
  ]);
  if (!isEach) throw new Error(`of ${newCalls.length} calls that could be captured not all were`);
  return decisions;
}

function isHoldOf(wish: CaptureWish, hold: Hold): boolean {
  return hold.askerId === wish.askerId && hold.toolId === wish.toolId;
}

function hasCall({ callIndex }: CaptureWish, { callCount }: Hold): boolean {
  return callIndex !== undefined && callIndex < callCount;
}

function toCall({ holdId, callIndex = 0, eventId, bodyHash }: CaptureWish, { expiresAtMs }: Hold): CallCapture {
  return { holdId, callIndex, eventId, bodyHash, expiresAtMs };
}

function decideCapture(wish: CaptureWish, hold: Hold | undefined, callHash: string | undefined): CaptureDecision {
  if (hold === undefined || !isHoldOf(wish, hold)) return { kind: 'absent' };
  if (!isBook(hold)) return wish.callIndex === undefined ? decideSingle(wish, hold) : { kind: 'no_call', hold };
  if (!hasCall(wish, hold)) return { kind: 'no_call', hold };
  if (callHash !== undefined) return decideAgain(wish, { ...hold, state: 'captured', bodyHash: callHash });
  if (hold.settledCalls[wish.callIndex ?? 0] === '1') return { kind: 'unknown' }; // counted since it was looked for
  return hold.state === 'open' ? decideFirst(wish, hold) : { kind: 'not_open' };
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

/** The price is asked again: it may be one that the authorizing gateway did not know yet. */
function isCovered({ quantities, bound, lineKey }: CaptureWish, hold: Hold): boolean {
  const { durationMs, measures } = hold.max;
  if (quantities.durationMs > durationMs) return false;
  const isEach = Object.entries(quantities.measures).every(
    ([key, amount]) => compareDecimals(parseDecimal(amount), parseDecimal(measures[key] ?? '0')) <= 0,
  );
  if (!isEach) return false;
  const isOutside = hold.lineKeys.length === 0;
  if (isOutside) return bound(hold) <= (hold.eachMicros ?? hold.micros);
  return hold.lineKeys.includes(lineKey(hold) ?? '') || bound(hold) === 0n;
}
