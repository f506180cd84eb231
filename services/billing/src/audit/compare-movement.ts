import { dayMs, hourMs } from '@tollgate/kernel/durations';
import { formatUsd, micros } from '@tollgate/kernel/money';
import { toIso } from '@tollgate/kernel/clock';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { isAppError } from '@tollgate/kernel/app-error';
import { periodBounds } from '@tollgate/kernel/period';
import { attemptIdOf, type AttemptKind } from '../processor/attempt.ts';
import type { ExistingMovement, TimeWindow } from '../processor/processor.ts';
import { nameOrder, type SettledMovement } from './sql-read-settled-movements.ts';
import { followingPeriod } from '../invoicing/due-period.ts';

export interface MovementFacts {
  readonly ours: SettledMovement;
  /** The processor's objects with our object id or our mark. There should be one. */
  readonly theirs: readonly ExistingMovement[];
  /** Says whether this is an order of the same period. */
  readonly isOurs: (attemptId: string) => boolean;
}

/** A restored backup may have lost this many orders of one invoice, refund or payout. */
const lostOrdersMax = 50;

/** A restored backup may begin an order again after the processor has carried it out. */
const earlyMs = dayMs;
/** Clocks differ. */
const lateMs = hourMs;

/**
 * Compares one order with the processor's object: its mark, amount, currency, status, fee, party, date and the cash that
 * the ledger moved for it. Returns the differences in words.
 */
export function compareMovement({ ours, theirs, isOurs }: MovementFacts): string[] {
  const order = `${nameOrder(ours)} of ${usd(ours.amountCents)}`;
  const [their, second] = theirs;
  if (second) return [`${order}: the processor has it ${theirs.length} times`];
  if (!their) {
    const isRefused = ours.objectId === null && ours.status === 'failed';
    return isRefused ? [] : [`${order}: ${ours.status} with us, and the processor has none`];
  }
  const identity = differingIdentity(ours, their, isOurs);
  const differences = identity === undefined ? differingFacts(ours, their) : [identity];
  return differences.map((difference) => `${order}: ${difference}`);
}

function differingIdentity(
  ours: SettledMovement,
  { objectId, attemptId }: ExistingMovement,
  isOurs: MovementFacts['isOurs'],
): string | undefined {
  if (ours.objectId !== null && ours.objectId !== objectId)
    return `it is ${ours.objectId} with us, ${objectId} at the processor`;
  const isOwn = (attemptId ?? null) === ours.attemptId;
  if (isOwn || (attemptId !== undefined && !isOurs(attemptId) && isLostOrder(ours, attemptId))) return undefined;
  return `it is ${objectId} with us, which the processor made for ${attemptId ?? 'nobody'}`;
}

/** An order adopts the object of an earlier order for the same, if a restored backup has lost that order. */
function isLostOrder({ kind, subjectId }: SettledMovement, attemptId: string): boolean {
  const numbers = Array.from({ length: lostOrdersMax }, (_, index) => index + 1);
  return numbers.some((number) => attemptIdOf({ kind, subjectId, number }) === attemptId);
}

function differingFacts(ours: SettledMovement, their: ExistingMovement): string[] {
  if (their.amountCents !== ours.amountCents) return [`the processor has ${usd(their.amountCents)}`];
  if (their.currency !== 'usd') return [`the processor has the currency ${their.currency}`];
  if (their.status !== ours.status) return [`${ours.status} with us, ${their.status} at the processor`];
  const party = their.partyId ?? 'nobody';
  const effect = effectOf(ours.kind, their);
  return [
    ...when(!ours.parties.includes(party), `it is of ${ours.parties.join()} with us, of ${party} at the processor`),
    ...when(
      ours.feeCents !== their.feeCents,
      `its fee is ${usd(ours.feeCents)}, at the processor ${usd(their.feeCents)}`,
    ),
    ...when(returnedOf(ours) !== returnedOf(their), differingReturn(ours, their)),
    ...when(!isInTime(ours, their), `the processor made it at ${toIso(their.createdAtMs)}, ${timesOf(ours)}`),
    ...when(effect !== ours.cashMicros, differingCash(effect, ours.cashMicros)),
  ];
}

function when(isDifferent: boolean, difference: string): string[] {
  return isDifferent ? [difference] : [];
}

/** A reversed movement came back as a whole: its status says so, and no part is compared. */
function returnedOf({ status, returnedCents }: Pick<ExistingMovement, 'returnedCents'> & { status: string }): bigint {
  return status === 'succeeded' ? returnedCents : 0n;
}

function differingReturn(ours: SettledMovement, their: ExistingMovement): string {
  return `${usd(ours.returnedCents)} of it came back with us, ${usd(their.returnedCents)} at the processor`;
}

function isInTime(ours: SettledMovement, { createdAtMs }: ExistingMovement): boolean {
  const isEarly = ours.attemptId !== null && createdAtMs < ours.startedAtMs - earlyMs;
  return !isEarly && (ours.settledAtMs === null || createdAtMs <= ours.settledAtMs + lateMs);
}

function timesOf({ startedAtMs, settledAtMs }: SettledMovement): string {
  const end = settledAtMs === null ? '' : `, and learned its outcome at ${toIso(settledAtMs)}`;
  return `we began it at ${toIso(startedAtMs)}${end}`;
}

function differingCash(effect: bigint, cashMicros: bigint): string {
  return `the processor moved ${formatUsd(micros(effect))}, the ledger ${formatUsd(micros(cashMicros))} USD`;
}

/** The change of our cash by a movement and its fee, in micro-dollars. */
export function effectOf(
  kind: AttemptKind,
  { status, amountCents, feeCents, returnedCents }: ExistingMovement,
): bigint {
  if (status === 'reversed' && kind !== 'transfer') return centsToMicros(-feeCents); // the processor keeps its fee
  if (status !== 'succeeded') return 0n;
  return centsToMicros((kind === 'charge' ? amountCents : returnedCents - amountCents) - feeCents);
}

export function usd(cents: bigint): string {
  return `${formatUsd(centsToMicros(cents))} USD`;
}

/** The words for what our books and the processor tell apart; none where both tell the same. */
export function differing(what: string, ours: string, theirs: string): string[] {
  return ours === theirs ? [] : [`${what} ${ours} with us, ${theirs} at the processor`];
}

/** Returns the object that the processor has, or undefined where it says that it has none. */
export async function ifFound<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isAppError(error, 'not_found')) return undefined;
    throw error;
  }
}

/** The period and the month after it, in which its invoices are collected and its builders are paid. */
export function movementWindow(period: string): TimeWindow {
  return { sinceMs: periodBounds(period).start, untilMs: periodBounds(followingPeriod(period)).end };
}
