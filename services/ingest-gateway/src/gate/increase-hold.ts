import type { Database, Transaction } from '@tollgate/database/database';
import { compareDecimals, parseDecimal } from '@tollgate/kernel/decimal';
import { micros, type Micros } from '@tollgate/kernel/money';
import type { Tool } from '../tools/tool.ts';
import type { FillBalances } from './balance-caps.ts';
import { askerIdOf, type Asker } from './find-payer.ts';
import { attemptsMax } from './gate.ts';
import { capKeyOf, settledCallsOf, isBook, type CapState, type CapWish, type Hold, type Quantities } from './hold.ts';
import { judgeCall, type JudgedCall } from './judge-call.ts';
import { readPayer, type ReadStanding } from './read-standing.ts';
import { undecided } from './refusals.ts';
import { hasRoomFor, roomOf, type Room } from './room.ts';
import type { SettleAccounts } from './settle-accounts.ts';
import { changeCaps, lockCapsOfHold } from './sql-cap-state.ts';
import { countCapturedCalls } from './sql-call.ts';
import { addCapToHolds, lockHolds, raiseHold } from './sql-hold.ts';

export interface Increase {
  readonly holdId: string;
  readonly asker: Asker;
  readonly max: Quantities;
  /** As PostgreSQL has it. */
  readonly tool: Tool | undefined;
  readonly nowMs: number;
  /** The most that each of its calls can come to. */
  bound(tool: Tool, hold: Hold): Micros;
}

export interface IncreaseDeps {
  readonly readStanding: ReadStanding;
  readonly fillBalances: FillBalances;
  readonly settleAccounts: SettleAccounts;
}

export type IncreaseDecision =
  | { readonly kind: 'increased'; readonly hold: Hold; readonly room: Room }
  | { readonly kind: 'no_room'; readonly cap: CapState; readonly neededMicros: Micros }
  | { readonly kind: 'absent' | 'not_open' | 'past_due' };

/** A cap that a new call must fit into has no row. A settlement makes it, and puts the hold there. */
interface NoRow {
  readonly kind: 'no_row';
  readonly accountId: string;
  readonly wished: readonly CapWish[];
}

/**
 * Holds more for an open authorization, if a new one for it would be held at this moment. Throws what that would be refused
 * with, and `unavailable` if its caps keep changing.
 */
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
  { readStanding, fillBalances }: IncreaseDeps,
): Promise<IncreaseDecision | NoRow> {
  const { holdId, asker, nowMs } = increase;
  const [hold] = await lockHolds(tx, [holdId]);
  if (hold === undefined || hold.askerId !== askerIdOf(asker)) return { kind: 'absent' };
  const openCalls = await openCallsOf(tx, hold);
  if (hold.state !== 'open' || hold.expiresAtMs <= nowMs || openCalls === 0) return { kind: 'not_open' };
  const wanted = { ...hold, max: greatestOf(hold.max, increase.max) };
  const call = await judgeMore(tx, { hold: wanted, increase, readStanding });
  const raised = raise(wanted, call.eachMicros, openCalls);
  const moreMicros = micros(raised.micros - hold.micros);
  if (moreMicros > 0n && call.isPastDue) return { kind: 'past_due' };
  const wished = moreMicros > 0n ? call.caps : [];
  return holdMore(tx, { hold, raised, moreMicros, wished, nowMs, fillBalances });
}

interface Raising extends Pick<IncreaseDeps, 'fillBalances'> {
  readonly hold: Hold;
  readonly raised: Hold;
  readonly moreMicros: Micros;
  /** The caps that a new authorization would be in. */
  readonly wished: readonly CapWish[];
  readonly nowMs: number;
}

async function holdMore(tx: Transaction, raising: Raising): Promise<IncreaseDecision | NoRow> {
  const { hold, raised, moreMicros, wished, nowMs, fillBalances } = raising;
  const locked = await lockCapsOfHold(tx, hold, wished);
  if (lacks(locked, wished)) return { kind: 'no_row', accountId: hold.accountId, wished };
  const joined = locked.map((cap) => withHold(cap, hold));
  const caps = await fillBalances(tx, joined, { atMs: nowMs, untilMs: () => hold.expiresAtMs });
  const full = caps.find((cap) => !hasRoomFor(cap, moreMicros));
  if (full !== undefined) return { kind: 'no_room', cap: full, neededMicros: moreMicros };
  await raiseHold(tx, raised);
  await raiseCaps(tx, locked, raising);
  const after = caps.map((cap) => ({ ...cap, heldMicros: micros(cap.heldMicros + moreMicros) }));
  return { kind: 'increased', hold: raised, room: roomOf(after) };
}

interface MoreToJudge {
  readonly hold: Hold;
  readonly increase: Increase;
  readonly readStanding: ReadStanding;
}

/** Whatever the gateway has heard, all is read anew. */
async function judgeMore(tx: Transaction, { hold, increase, readStanding }: MoreToJudge): Promise<JudgedCall> {
  const { asker, tool, nowMs, bound } = increase;
  const { accountId, toolId, expiresAtMs } = hold;
  const [payer, standing] = await Promise.all([readPayer(tx, hold), readStanding(tx, accountId)]);
  const boundOf = (of: Tool): Micros => bound(of, hold);
  return judgeCall({ asker, payer, toolId, tool, standing, nowMs, expiresAtMs, boundOf });
}

function lacks(caps: readonly CapState[], wished: readonly CapWish[]): boolean {
  const known = new Set(caps.map(capKeyOf));
  return wished.some((cap) => !known.has(capKeyOf(cap)));
}

/** The gateway that took the hold may not have heard of a cap that had its row already. The hold joins it now. */
function withHold(cap: CapState, { capIds, micros: held }: Hold): CapState {
  return capIds.includes(cap.capId) ? cap : { ...cap, heldMicros: micros(cap.heldMicros + held) };
}

async function raiseCaps(
  tx: Transaction,
  locked: readonly CapState[],
  { hold, moreMicros }: Pick<Raising, 'hold' | 'moreMicros'>,
): Promise<void> {
  const changes = locked.map((cap) => {
    return { capId: cap.capId, spent: 0n, held: withHold(cap, hold).heldMicros - cap.heldMicros + moreMicros };
  });
  await changeCaps(tx, changes);
  for (const { capId } of locked.filter(({ capId }) => !hold.capIds.includes(capId)))
    await addCapToHolds(tx, [hold.holdId], capId);
}

/** How many calls it is still for. */
async function openCallsOf(tx: Transaction, hold: Hold): Promise<number> {
  if (!isBook(hold)) return 1;
  return hold.callCount - settledCallsOf(hold) - (await countCapturedCalls(tx, hold));
}

function raise(hold: Hold, eachMicros: Micros, openCalls: number): Hold {
  const before = hold.eachMicros ?? hold.micros;
  const each = eachMicros > before ? eachMicros : before;
  const held = micros(hold.micros + (each - before) * BigInt(openCalls));
  return { ...hold, micros: held, eachMicros: hold.eachMicros === null ? null : each };
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
