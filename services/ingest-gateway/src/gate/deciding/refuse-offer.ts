import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { approves, type Approval, type Missing } from '../approvals/approval.ts';
import type { CapState, HoldWish } from '../authorizations/hold.ts';
import { hasRoomFor, roomIn } from './room.ts';

export interface Need {
  readonly cap: CapState;
  readonly micros: bigint;
}

export interface OfferToRefuse {
  /** The money that is held for all its calls. */
  readonly micros: Micros;
  readonly eachMicros: Micros;
  readonly needs: readonly Need[];
}

export type OfferRefusal =
  | {
      readonly kind: 'no_room';
      readonly cap: CapState;
      readonly neededMicros: Micros;
      /** Undefined: a cap is full that no approval of the pass's owner can exceed. */
      readonly missing: Missing | undefined;
    }
  /** A call can come to more than it may. */
  | { readonly kind: 'dear'; readonly neededMicros: Micros }
  /** A call can come to more than goes through without an approval. */
  | { readonly kind: 'unapproved'; readonly neededMicros: Micros; readonly missing: Missing };

export interface ToRefuse {
  readonly wish: HoldWish;
  /** Adds to a cap what the wishes before this one have taken of it. */
  readonly withTaken: (cap: CapState) => CapState;
}

/** Undefined: the wish fits. */
export function refuseOffer(offer: OfferToRefuse, { wish, withTaken }: ToRefuse): OfferRefusal | undefined {
  const { perCallMaxMicros, approveAboveMicros } = wish;
  const { micros: callMicros, eachMicros, needs } = offer;
  if (perCallMaxMicros !== undefined && eachMicros > perCallMaxMicros)
    return { kind: 'dear', neededMicros: eachMicros };
  const full = needs
    .map(({ cap, micros: needed }) => ({ cap: withTaken(cap), micros: needed }))
    .filter(({ cap, micros: needed }) => !hasRoomFor(cap, needed));
  const [first] = full;
  if (first !== undefined) {
    const beyondMicros = beyondOf(full, wish);
    const missing = beyondMicros === undefined ? undefined : { callMicros, beyondMicros };
    return { kind: 'no_room', cap: first.cap, neededMicros: micros(first.micros), missing };
  }
  if (approveAboveMicros === undefined || eachMicros <= approveAboveMicros) return undefined;
  return { kind: 'unapproved', neededMicros: eachMicros, missing: { callMicros, beyondMicros: zeroMicros } };
}

/** An approval may be for another pass or tool, too little, over, or used by the one who had its lock before. */
export function isApprovedBy(approval: Approval, wish: HoldWish, refused: OfferRefusal | undefined): boolean {
  const missing = refused?.kind === 'dear' ? undefined : refused?.missing;
  return missing !== undefined && approves(approval, wish, missing);
}

/**
 * The most that full caps lack. A cap that is exceeded already lacks the call and no more. Undefined: one of them is not the cap
 * of the wish's own pass, and nobody exceeds that.
 */
function beyondOf(full: readonly Need[], { passId }: HoldWish): Micros | undefined {
  if (full.some(({ cap }) => cap.scope !== 'pass' || cap.ownerId !== passId)) return undefined;
  return full.reduce((most, { cap, micros: needed }) => {
    const room = roomIn(cap);
    const beyond = room > 0n ? needed - room : needed;
    return beyond > most ? micros(beyond) : most;
  }, zeroMicros);
}
