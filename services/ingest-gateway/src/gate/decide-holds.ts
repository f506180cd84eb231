import { micros } from '@tollgate/kernel/money';
import { capKeyOf, type CapState, type Hold, type HoldWish } from './hold.ts';
import { hasRoomFor, roomOf, type Room } from './room.ts';

export type HoldDecision =
  | {
      readonly kind: 'held';
      readonly capIds: readonly bigint[];
      readonly room: Room;
    }
  /** It is held already, by an earlier request for the same. */
  | { readonly kind: 'repeat'; readonly hold: Hold }
  | { readonly kind: 'no_room'; readonly cap: CapState }
  | { readonly kind: 'past_due' }
  /** A row of its caps has not been made yet. */
  | { readonly kind: 'no_row' };

export interface HoldFacts {
  /** Locked: nobody changes them until these decisions are written. */
  readonly caps: readonly CapState[];
  /** Stored holds with ids of the wishes. */
  readonly holds: readonly Hold[];
  /** Accounts of the wishes that are past due. */
  readonly pastDue: ReadonlySet<string>;
}

/** What an expired hold had held is free, so a new one may take its place. Not of a book that still holds, or had a call. */
function isFreeAgain({ state, accountId, eachMicros, settledCalls, micros: held }: Hold, wish: HoldWish): boolean {
  const isUncaptured = eachMicros === null || (held === 0n && !settledCalls.includes('1'));
  return state === 'expired' && isUncaptured && accountId === wish.accountId;
}

/** Decides in the order given, each with what the ones before it have taken. */
export function decideHolds(wishes: readonly HoldWish[], { caps, holds, pastDue }: HoldFacts): HoldDecision[] {
  const capOf = new Map(caps.map((cap) => [capKeyOf(cap), cap]));
  const holdOf = new Map(holds.map((hold) => [hold.holdId, hold]));
  const taken = new Map<bigint, bigint>();
  const seen = new Set<string>();

  return wishes.map((wish) => {
    const stored = holdOf.get(wish.holdId);
    if (stored !== undefined && !isFreeAgain(stored, wish)) return { kind: 'repeat', hold: stored };
    if (wish.micros !== 0n && pastDue.has(wish.accountId)) return { kind: 'past_due' };
    if (seen.has(wish.holdId)) return { kind: 'no_row' }; // the same id twice in one batch: the second asks again
    const rows = wish.caps.map((cap) => capOf.get(capKeyOf(cap)));
    const found = rows.filter((row) => row !== undefined);
    if (found.length < rows.length) return { kind: 'no_row' };
    const full = found.find((cap) => !hasRoomFor(withTaken(cap), wish.micros));
    if (full !== undefined) return { kind: 'no_room', cap: withTaken(full) };
    for (const { capId } of found) taken.set(capId, (taken.get(capId) ?? 0n) + wish.micros);
    seen.add(wish.holdId);
    return { kind: 'held', capIds: found.map(({ capId }) => capId), room: roomOf(found.map(withTaken)) };
  });

  function withTaken(cap: CapState): CapState {
    return { ...cap, heldMicros: micros(cap.heldMicros + (taken.get(cap.capId) ?? 0n)) };
  }
}
