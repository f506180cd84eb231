import { micros, type Micros } from '@tollgate/kernel/money';
import { capKeyOf, type CapState, type Hold, type HoldWish } from './hold.ts';

export type HoldDecision =
  | {
      readonly kind: 'held';
      readonly capIds: readonly bigint[];
      /** What is left of the tightest cap; null without a cap. */
      readonly remainingMicros: Micros | null;
    }
  /** It is held already, by an earlier request for the same. */
  | { readonly kind: 'repeat'; readonly hold: Hold }
  | { readonly kind: 'no_room'; readonly cap: CapState }
  /** A row of its caps has not been made yet. */
  | { readonly kind: 'no_row' };

export interface HoldFacts {
  /** Locked: nobody changes them until these decisions are written. */
  readonly caps: readonly CapState[];
  /** Stored holds with ids of the wishes. */
  readonly holds: readonly Hold[];
}

/** Decides in the order given, each with what the ones before it have taken. */
export function decideHolds(wishes: readonly HoldWish[], { caps, holds }: HoldFacts): HoldDecision[] {
  const capOf = new Map(caps.map((cap) => [capKeyOf(cap), cap]));
  const holdOf = new Map(holds.map((hold) => [hold.holdId, hold]));
  const taken = new Map<bigint, bigint>();
  const seen = new Set<string>();

  return wishes.map((wish) => {
    const stored = holdOf.get(wish.holdId);
    if (stored !== undefined && stored.state !== 'expired') return { kind: 'repeat', hold: stored };
    if (seen.has(wish.holdId)) return { kind: 'no_row' }; // the same id twice in one batch: the second asks again
    const rows = wish.caps.map((cap) => capOf.get(capKeyOf(cap)));
    const found = rows.filter((row) => row !== undefined);
    if (found.length < rows.length) return { kind: 'no_row' };
    const full = found.find((cap) => roomIn(cap) < wish.micros);
    if (full !== undefined) return { kind: 'no_room', cap: withTaken(full) };
    for (const { capId } of found) taken.set(capId, (taken.get(capId) ?? 0n) + wish.micros);
    seen.add(wish.holdId);
    return { kind: 'held', capIds: found.map(({ capId }) => capId), remainingMicros: leastOf(found.map(roomIn)) };
  });

  function withTaken(cap: CapState): CapState {
    return { ...cap, heldMicros: micros(cap.heldMicros + (taken.get(cap.capId) ?? 0n)) };
  }

  function roomIn(cap: CapState): bigint {
    const { capMicros, spentMicros, heldMicros } = withTaken(cap);
    return capMicros - spentMicros - heldMicros;
  }
}

/** Null for none. */
export function leastOf(rooms: readonly bigint[]): Micros | null {
  const [first, ...others] = rooms;
  if (first === undefined) return null;
  return micros(others.reduce((least, room) => (room < least ? room : least), first));
}
