import { micros, type Micros } from '@tollgate/kernel/money';
import type { CapState } from '../authorizations/hold.ts';

/** The money that is left of the caps of a hold. */
export interface Room {
  /** The money that is left of the tightest cap; null without a cap. */
  readonly remainingMicros: Micros | null;
  /** Less than 10 % is left of one of them. */
  readonly isLow: boolean;
}

/** Below 0 where the cap was lowered since, or its owner approved a call beyond it. */
export function roomIn({ capMicros, spentMicros, heldMicros }: CapState): bigint {
  return capMicros - spentMicros - heldMicros;
}

export function hasRoomFor(cap: CapState, neededMicros: bigint): boolean {
  return neededMicros <= 0n || cap.boundBy === 'nothing' || roomIn(cap) >= neededMicros;
}

export function roomOf(all: readonly CapState[]): Room {
  const caps = all.filter(({ boundBy }) => boundBy !== 'nothing');
  const [first, ...others] = caps.map(roomIn);
  const least = others.reduce((less, room) => (room < less ? room : less), first ?? 0n);
  return {
    remainingMicros: first === undefined ? null : micros(least),
    isLow: caps.some((cap) => roomIn(cap) * 10n < cap.capMicros),
  };
}
