import type { Database, Transaction } from '@tollgate/database/database';
import { micros, type Micros } from '@tollgate/kernel/money';
import type { Tool } from '../../tools/tool.ts';
import { capsOfAnyWindow } from '../caps/account-caps.ts';
import type { FillBalances } from '../caps/balance-caps.ts';
import { askerIdOf, type Asker } from '../deciding/find-payer.ts';
import { attemptsMax } from '../gate.ts';
import { capKeyOf, type CapState, type CapWish, type Hold, type HoldWish } from './hold.ts';
import { judgeCall, type JudgedCall } from '../deciding/judge-call.ts';
import { readPayer, type ReadStanding } from '../deciding/read-standing.ts';
import { approvalOfMoreRequired, callTooDear, undecided } from '../deciding/refusals.ts';
import { hasRoomFor, roomOf, type Room } from '../deciding/room.ts';
import type { SettleAccounts } from '../settling/settle-accounts.ts';
import { capChangesOf, changeLines } from '../settling/change-lines.ts';
import { coversLines, isAnyPartOfLine, isCapOfHold, lastEndOf } from '../settling/lines.ts';
import { callOf, moveLines, type MovedLines } from '../settling/move-lines.ts';
import { openCallsOf } from './release-hold.ts';
import type { AccountToSettle } from '../settling/read-settlement-facts.ts';
import { readCountedThrough } from '../settling/sql-settlement.ts';
import { pays } from './show-authorization.ts';
import { changeCaps, lockCapsOfHold } from '../caps/sql-cap-state.ts';
import { addCapToHolds, lockHolds, raiseHold } from './sql-hold.ts';
import { isLonger, wantedHold, type Wanted } from './wanted-hold.ts';

export interface Increase extends Wanted {
  readonly holdId: string;
  readonly asker: Asker;
  /** As PostgreSQL has it. */
  readonly tool: Tool | undefined;
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

type Lacking = Pick<NoRow, 'wished' | 'wishedLines'> & Pick<HoldWish, 'ancestorIds'> & { readonly nowMs: number };

/** A cap that a new call must fit into, or a line, has no row. A settlement makes it, and puts the hold there. */
interface NoRow extends Required<AccountToSettle> {
  readonly kind: 'no_row';
}

/**
 * Holds more for an open authorization, or for longer, if a new one for it would be held at this moment. Throws what that would be refused
 * with, and `unavailable` if other gateways settle its account all the time. Where rows lack, it is decided in the transaction
 * of the settlement that makes them: before anybody can change the caps again.
 */
export async function increaseHold(
  database: Database,
  increase: Increase,
  deps: IncreaseDeps,
): Promise<IncreaseDecision> {
  let decision = await database.transaction((tx) => decideAndRaise(tx, increase, deps));
  for (let attempt = 2; decision.kind === 'no_row' && attempt <= attemptsMax; attempt += 1) {
    await deps.settleAccounts([decision], increase.nowMs, async (tx) => {
      decision = await decideAndRaise(tx, increase, deps);
    });
  }
  if (decision.kind === 'no_row') throw undecided();
  return decision;
}

/** The hold is locked before its lines and caps, as everywhere. */
async function decideAndRaise(
  tx: Transaction,
  increase: Increase,
  deps: IncreaseDeps,
): Promise<IncreaseDecision | NoRow> {
  const { holdId, asker, nowMs } = increase;
  const [hold] = await lockHolds(tx, [holdId]);
  if (hold === undefined || hold.askerId !== askerIdOf(asker)) return { kind: 'absent' };
  const openCalls = await openCallsOf(tx, hold);
  if (hold.state !== 'open' || openCalls === 0 || (await hasExpired(tx, hold, nowMs))) return { kind: 'not_open' };
  return raiseOpen(tx, { hold, openCalls }, { ...increase, ...deps });
}

/** A settlement that has seen the watermark pass the expiry takes calls of a book for lost, whatever a slow clock says. */
async function hasExpired(tx: Transaction, { expiresAtMs }: Hold, nowMs: number): Promise<boolean> {
  return expiresAtMs <= nowMs || expiresAtMs <= (await readCountedThrough(tx));
}

async function raiseOpen(
  tx: Transaction,
  { hold, openCalls }: { readonly hold: Hold; readonly openCalls: number },
  { readStanding, fillBalances, ...increase }: Increase & IncreaseDeps,
): Promise<IncreaseDecision | NoRow> {
  const { asker, nowMs } = increase;
  const wanted = wantedHold(hold, increase);
  const call = await judgeMore(tx, { hold: wanted, increase, readStanding });
  const { ancestorIds } = call;
  const moved = await moveLines(tx, { hold, wanted, tool: call.tool });
  const wished = call.caps;
  if (moved.kind === 'no_row') return noRow(wanted, { wished, wishedLines: moved.wishedLines, ancestorIds, nowMs });
  const eachMicros = eachOf(call, moved);
  requireCheap(call, eachMicros, pays(asker, hold));
  requireApproved(call, hold, eachMicros);
  const raised = raise({ ...wanted, lineKeys: moved.lineKeys }, eachMicros, openCalls);
  const moreMicros = micros(raised.micros - hold.micros);
  const isMore = moreMicros > 0n || moved.isMore || (isLonger(wanted, hold) && call.eachMicros > 0n);
  if (isMore && call.isPastDue) return { kind: 'past_due' };
  const raising = { hold, ancestorIds, raised, moreMicros, lines: moved, nowMs, fillBalances };
  return holdMore(tx, { ...raising, wished: isMore ? wished : [] });
}

/** The windows may change before the rows are made. */
function noRow({ accountId, passId, expiresAtMs }: Hold, lacking: Lacking): NoRow {
  const { wished: caps, wishedLines, ancestorIds, nowMs } = lacking;
  const between = { fromMs: nowMs, toMs: expiresAtMs };
  const wished = capsOfAnyWindow({ accountId, passId, ancestorIds, caps, between });
  return { kind: 'no_row', accountId, wished, wishedLines };
}

/** A cap of a part of a line needs what a call can come to wherever it is counted. */
function eachOf({ eachMicros, caps }: JudgedCall, { lineKeys, inLineMicros }: MovedLines): Micros {
  return lineKeys.length === 0 || isAnyPartOfLine(caps) ? eachMicros : inLineMicros;
}

function requireCheap({ perCallMaxMicros: maxMicros }: JudgedCall, neededMicros: Micros, isPayer: boolean): void {
  if (maxMicros !== undefined && neededMicros > maxMicros) throw callTooDear({ maxMicros, neededMicros, isPayer });
}

/** Only an ask offers an approval. The one that this authorization may have used was for no more than it holds. */
function requireApproved({ approveAboveMicros }: JudgedCall, hold: Hold, neededMicros: Micros): void {
  if (approveAboveMicros === undefined || neededMicros <= approveAboveMicros) return;
  if (neededMicros > (hold.eachMicros ?? hold.micros)) throw approvalOfMoreRequired();
}

interface Raising extends Pick<IncreaseDeps, 'fillBalances'>, Pick<HoldWish, 'ancestorIds'> {
  readonly hold: Hold;
  readonly raised: Hold;
  readonly moreMicros: Micros;
  /** The caps that a new authorization would be in. */
  readonly wished: readonly CapWish[];
  readonly lines: MovedLines;
  readonly nowMs: number;
}

async function holdMore(tx: Transaction, raising: Raising): Promise<IncreaseDecision | NoRow> {
  const { ancestorIds, raised, wished, lines, nowMs, fillBalances } = raising;
  const locked = await lockCapsOfHold(tx, raised, wished);
  if (lacks(locked, wished)) return noRow(raised, { wished, wishedLines: [], ancestorIds, nowMs });
  const wishedKeys = new Set(wished.map(capKeyOf));
  const untilMs = lastEndOf({ ...raised, nowMs }, raised.lineKeys.length === 0 ? undefined : lines.after);
  const filled = await fillBalances(tx, locked, { atMs: nowMs, untilMs: () => untilMs });
  const caps = filled.filter((cap) => isCapOfHold(cap, raised) || wishedKeys.has(capKeyOf(cap)));
  const full = caps.map((cap) => needIn(cap, raising)).find(isFull);
  if (full !== undefined) return { kind: 'no_room', cap: full.cap, neededMicros: micros(full.needed) };
  await raiseHold(tx, raised);
  await raiseCaps(tx, locked, raising);
  await changeLines(tx, { ...lines, caps: locked });
  const after = caps.map((cap) => withMore(joined(cap, raising), moreIn(cap, raising)));
  return { kind: 'increased', hold: raised, room: roomOf(after) };
}

interface Need {
  readonly cap: CapState;
  readonly needed: bigint;
}

/** A cap that the hold joins must have room for all of it, also where it only lasts longer. */
function needIn(cap: CapState, raising: Raising): Need {
  const [withHold, needed] = [joined(cap, raising), moreIn(cap, raising)];
  return needed > 0n ? { cap: withHold, needed } : { cap, needed: withHold.heldMicros - cap.heldMicros };
}

function isFull({ cap, needed }: Need): boolean {
  return !hasRoomFor(cap, needed);
}

/** Whether the cap holds the hold itself: it does not if it holds what the lines of the hold can come to. */
function isHeldIn(cap: CapState, { raised, wished }: Raising): boolean {
  if (raised.capIds.includes(cap.capId)) return true;
  return wished.some((wish) => capKeyOf(wish) === capKeyOf(cap)) && !(raised.lineKeys.length > 0 && coversLines(cap));
}

/** The gateway that took the hold may not have heard of a cap that had its row already. The hold joins it now. */
function joined(cap: CapState, raising: Raising): CapState {
  const { capIds, micros: held } = raising.hold;
  return capIds.includes(cap.capId) || !isHeldIn(cap, raising) ? cap : withMore(cap, held);
}

function moreIn(cap: CapState, raising: Raising): bigint {
  if (isHeldIn(cap, raising)) return raising.moreMicros;
  return capChangesOf({ ...raising.lines, caps: [cap] }).reduce((sum, { held }) => sum + held, 0n);
}

function withMore(cap: CapState, more: bigint): CapState {
  return { ...cap, heldMicros: micros(cap.heldMicros + more) };
}

async function raiseCaps(tx: Transaction, locked: readonly CapState[], raising: Raising): Promise<void> {
  const { hold, moreMicros } = raising;
  const holding = locked.filter((cap) => isHeldIn(cap, raising));
  const changes = holding.map((cap) => {
    return { capId: cap.capId, spent: 0n, held: joined(cap, raising).heldMicros - cap.heldMicros + moreMicros };
  });
  await changeCaps(tx, changes);
  for (const { capId } of holding.filter(({ capId }) => !hold.capIds.includes(capId)))
    await addCapToHolds(tx, [hold.holdId], capId);
}

interface MoreToJudge {
  readonly hold: Hold;
  readonly increase: Increase;
  readonly readStanding: ReadStanding;
}

/** Whatever the gateway has heard, all is read anew. */
async function judgeMore(tx: Transaction, { hold, increase, readStanding }: MoreToJudge): Promise<JudgedCall> {
  const { asker, tool, nowMs } = increase;
  const { accountId, toolId, expiresAtMs } = hold;
  const [payer, standing] = await Promise.all([readPayer(tx, hold, nowMs), readStanding(tx, accountId)]);
  return judgeCall({ asker, payer, toolId, tool, standing, nowMs, expiresAtMs, callOf: () => callOf(hold) });
}

function lacks(caps: readonly CapState[], wished: readonly CapWish[]): boolean {
  const known = new Set(caps.map(capKeyOf));
  return wished.some((cap) => !known.has(capKeyOf(cap)));
}

function raise(hold: Hold, eachMicros: Micros, openCalls: number): Hold {
  const before = hold.eachMicros ?? hold.micros;
  const each = eachMicros > before ? eachMicros : before;
  const held = micros(hold.micros + (each - before) * BigInt(openCalls));
  return { ...hold, micros: held, eachMicros: hold.eachMicros === null ? null : each };
}
