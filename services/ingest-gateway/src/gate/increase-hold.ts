import type { Database, Transaction } from '@tollgate/database/database';
import { compareDecimals, parseDecimal } from '@tollgate/kernel/decimal';
import { micros, type Micros } from '@tollgate/kernel/money';
import type { BalanceCaps, FillBalances } from './balance-caps.ts';
import { attemptsMax } from './gate.ts';
import type { PastDueAccounts } from './past-due-accounts.ts';
import { capKeyOf, settledCallsOf, isBook, type CapState, type CapWish, type Hold, type Quantities } from './hold.ts';
import { undecided } from './refusals.ts';
import { hasRoomFor, roomOf, type Room } from './room.ts';
import type { SettleAccounts } from './settle-accounts.ts';
import { findPastDue } from './sql-past-due.ts';
import { changeCaps, lockCapsById } from './sql-cap-state.ts';
import { countCapturedCalls } from './sql-call.ts';
import { lockHolds, raiseHold } from './sql-hold.ts';

export interface Increase {
  readonly holdId: string;
  readonly askerId: string;
  readonly max: Quantities;
  readonly nowMs: number;
  /** The most that each of its calls can come to. */
  bound(hold: Hold): Micros;
  /** Throws for a call that is too dear, whatever room the caps have. */
  requireCheap(eachMicros: Micros): void;
}

export interface IncreaseDeps {
  readonly fillBalances: FillBalances;
  readonly balances: Pick<BalanceCaps, 'of'>;
  readonly settleAccounts: SettleAccounts;
  readonly pastDueAccounts: Pick<PastDueAccounts, 'has'>;
}

export type IncreaseDecision =
  | { readonly kind: 'increased'; readonly hold: Hold; readonly room: Room }
  | { readonly kind: 'no_room'; readonly cap: CapState; readonly neededMicros: Micros }
  | { readonly kind: 'absent' | 'not_open' | 'past_due' };

/** The hold is not in a cap that its account has by now. A settlement puts it there. */
interface NoRow {
  readonly kind: 'no_row';
  readonly accountId: string;
  readonly wished: readonly CapWish[];
}

/** Holds more for an open authorization. Throws `unavailable` if its caps keep changing. */
export async function increaseHold(
  database: Database,
  increase: Increase,
  deps: IncreaseDeps,
): Promise<IncreaseDecision> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const decision = await database.transaction((tx) => decideAndRaise(tx, increase, deps));
    if (decision.kind !== 'no_row') return decision;
    const { accountId, wished } = decision;
    await deps.settleAccounts([{ accountId, wished }], increase.nowMs);
  }
  throw undecided();
}

/** The hold is locked before its caps, as everywhere. */
async function decideAndRaise(
  tx: Transaction,
  increase: Increase,
  deps: IncreaseDeps,
): Promise<IncreaseDecision | NoRow> {
  const { holdId, askerId, nowMs } = increase;
  const [hold] = await lockHolds(tx, [holdId]);
  if (hold === undefined || hold.askerId !== askerId) return { kind: 'absent' };
  if (hold.state !== 'open' || hold.expiresAtMs <= nowMs) return { kind: 'not_open' };
  const raised = raise(hold, increase, await openCallsOf(tx, hold));
  if (raised === undefined) return { kind: 'not_open' };
  const locked = await lockCapsById(tx, hold.capIds);
  const moreMicros = micros(raised.micros - hold.micros);
  const refusal = moreMicros > 0n ? await refuseMore(tx, hold, { ...deps, locked }) : undefined;
  if (refusal !== undefined) return refusal;
  const caps = await deps.fillBalances(tx, locked, nowMs);
  const full = caps.find((cap) => !hasRoomFor(cap, moreMicros));
  if (full !== undefined) return { kind: 'no_room', cap: full, neededMicros: moreMicros };
  await raiseHold(tx, raised);
  await changeCaps(
    tx,
    hold.capIds.map((capId) => ({ capId, spent: 0n, held: moreMicros })),
  );
  const after = caps.map((cap) => ({ ...cap, heldMicros: micros(cap.heldMicros + moreMicros) }));
  return { kind: 'increased', hold: raised, room: roomOf(after) };
}

interface RefuseDeps extends IncreaseDeps {
  /** The caps of the hold. */
  readonly locked: readonly CapState[];
}

async function refuseMore(
  tx: Transaction,
  hold: Hold,
  { locked, balances, pastDueAccounts }: RefuseDeps,
): Promise<IncreaseDecision | NoRow | undefined> {
  const { accountId } = hold;
  if (await isPastDue(tx, hold, pastDueAccounts)) return { kind: 'past_due' };
  const wished = balances.of(accountId);
  return lacks(locked, wished) ? { kind: 'no_row', accountId, wished } : undefined;
}

/** An account may have got the cap of its balance after the hold was taken. */
function lacks(caps: readonly CapState[], wished: readonly CapWish[]): boolean {
  const known = new Set(caps.map(capKeyOf));
  return wished.some((cap) => !known.has(capKeyOf(cap)));
}

/** How many calls it is still for. */
async function openCallsOf(tx: Transaction, hold: Hold): Promise<number> {
  if (!isBook(hold)) return 1;
  return hold.callCount - settledCallsOf(hold) - (await countCapturedCalls(tx, hold));
}

/** Undefined: all calls of the book are captured. */
function raise(hold: Hold, increase: Increase, openCalls: number): Hold | undefined {
  if (openCalls === 0) return undefined;
  const max = greatestOf(hold.max, increase.max);
  const bound = increase.bound({ ...hold, max });
  increase.requireCheap(bound);
  const before = hold.eachMicros ?? hold.micros;
  const each = bound > before ? bound : before;
  const held = micros(hold.micros + (each - before) * BigInt(openCalls));
  return { ...hold, max, micros: held, eachMicros: hold.eachMicros === null ? null : each };
}

async function isPastDue(
  tx: Transaction,
  { accountId }: Hold,
  heard: IncreaseDeps['pastDueAccounts'],
): Promise<boolean> {
  return heard.has(accountId) && (await findPastDue(tx, [accountId])).has(accountId);
}

/** Of each quantity the greater one: what is held is never lowered. */
function greatestOf(left: Quantities, right: Quantities): Quantities {
  const measures: Record<string, string> = { ...left.measures };
  for (const [key, amount] of Object.entries(right.measures)) {
    const before = measures[key];
    const isGreater = before === undefined || compareDecimals(parseDecimal(amount), parseDecimal(before)) > 0;
    if (isGreater) measures[key] = amount;
  }
  return { durationMs: Math.max(left.durationMs, right.durationMs), measures };
}
