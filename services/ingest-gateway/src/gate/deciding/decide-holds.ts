import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { boundInLine } from '@tollgate/pricing/bound-line';
import { capKeyOf, type CapState, type Hold, type HoldWish } from '../authorizations/hold.ts';
import type { Approval } from '../approvals/approval.ts';
import type { CallLines } from './call-lines.ts';
import {
  addCalls,
  coversLine,
  coversLines,
  isNothing,
  isOpen,
  lineKeyOf,
  withQuantities,
  type Line,
} from '../settling/lines.ts';
import { isApprovedBy, refuseOffer, type OfferRefusal, type OfferToRefuse } from './refuse-offer.ts';
import { roomOf, type Room } from './room.ts';
import { ownLineKeyOf } from '../settling/sql-line.ts';

export type HoldDecision =
  | {
      readonly kind: 'held';
      readonly capIds: readonly bigint[];
      readonly lineKeys: readonly string[];
      readonly micros: Micros;
      readonly room: Room;
      /** The approval that it uses. */
      readonly approvalId?: string;
    }
  /** It is held already, by an earlier request for the same. */
  | { readonly kind: 'repeat'; readonly hold: Hold }
  | OfferRefusal
  | { readonly kind: 'past_due' }
  /** A row of its caps or lines has not been made yet, or the line has to be settled again. */
  | { readonly kind: 'no_row' };

export interface HoldFacts {
  /** Locked: nobody changes them until these decisions are written. */
  readonly caps: readonly CapState[];
  /** Locked as well. */
  readonly lines: readonly Line[];
  /** The approvals that the wishes name. Locked as well. */
  readonly approvals: readonly Approval[];
  /** Stored holds with ids of the wishes. */
  readonly holds: readonly Hold[];
  /** Accounts of the wishes that are past due. */
  readonly pastDue: ReadonlySet<string>;
  /** Undefined: each of the lines is open. */
  readonly watermarkMs: number | undefined;
}

export interface DecidedHolds {
  readonly decisions: readonly HoldDecision[];
  /** As they are with what is held now. */
  readonly changedLines: readonly Line[];
}

/** One way to hold a wish. */
interface Offer extends OfferToRefuse {
  readonly capIds: readonly bigint[];
  readonly lines: readonly Line[];
}

/**
 * Says whether a new hold may take the place of an expired one, whose money is free. It may not if the old one is a
 * book that still holds money, or had a call.
 */
function isFreeAgain({ state, accountId, eachMicros, settledCalls, micros: held }: Hold, wish: HoldWish): boolean {
  const isUncaptured = eachMicros === null || (held === 0n && !settledCalls.includes('1'));
  return state === 'expired' && isUncaptured && accountId === wish.accountId;
}

/** Decides in the order given, each with what the ones before it have taken. */
export function decideHolds(wishes: readonly HoldWish[], facts: HoldFacts): DecidedHolds {
  const capOf = new Map(facts.caps.map((cap) => [capKeyOf(cap), cap]));
  const covering = Map.groupBy(facts.caps.filter(coversLines), ({ accountId }) => accountId);
  const holdOf = new Map(facts.holds.map((hold) => [hold.holdId, hold]));
  const lineOf = new Map(facts.lines.map((line) => [ownLineKeyOf(line), line]));
  const changed = new Set<string>();
  const approvalOf = new Map(facts.approvals.map((approval) => [approval.approvalId, approval]));
  const taken = new Map<bigint, bigint>();
  const seen = new Set<string>();

  const decisions = wishes.map((wish): HoldDecision => {
    const stored = holdOf.get(wish.holdId);
    if (stored !== undefined && !isFreeAgain(stored, wish)) return { kind: 'repeat', hold: stored };
    if (wish.micros !== 0n && facts.pastDue.has(wish.accountId)) return { kind: 'past_due' };
    if (seen.has(wish.holdId)) return { kind: 'no_row' }; // the same id twice in one batch: the second asks again
    const rows = wish.caps.map((cap) => capOf.get(capKeyOf(cap)));
    const found = rows.filter((row) => row !== undefined);
    if (found.length < rows.length) return { kind: 'no_row' };
    const offers = offersFor(wish, found);
    if (offers === undefined) return { kind: 'no_row' };
    const decision = choose(wish, offers);
    if (decision.kind === 'held') seen.add(wish.holdId);
    return decision;
  });
  const changedLines = [...changed].flatMap((key) => lineOf.get(key) ?? []);
  return { decisions, changedLines };

  /** The one that needs less first. Undefined: a line has no row, or has to be settled before it is of use. */
  function offersFor(wish: HoldWish, found: readonly CapState[]): readonly Offer[] | undefined {
    const outside = offerOutside(wish, found);
    if (wish.lines === undefined) return [outside];
    const { lines: wished } = wish;
    const lines = wished.each.map((line) => lineOf.get(ownLineKeyOf({ accountId: wish.accountId, ...line })));
    const known = lines.filter((line) => line !== undefined);
    if (known.length < lines.length) return undefined;
    const caps = coveringOf(covering.get(wish.accountId) ?? [], found);
    const closed = caps.length === 0 ? undefined : known.find((line) => !isOpen(line));
    if (closed !== undefined) return (facts.watermarkMs ?? 0) >= closed.openAtMs ? undefined : [outside];
    const inLines = offerInLines({ wish, wished, known }, found, caps);
    return greatestNeed(inLines) <= wish.micros ? [inLines, outside] : [outside, inLines];
  }

  function choose(wish: HoldWish, offers: readonly Offer[]): HoldDecision {
    const refusals = offers.map((offer) => refuseOffer(offer, { wish, withTaken }));
    const offer = offers.find((_, index) => refusals[index] === undefined);
    if (offer !== undefined) return hold(offer);
    const approval = approvalOf.get(wish.approvalId ?? '');
    const approved = approval && offers.find((_, index) => isApprovedBy(approval, wish, refusals[index]));
    if (approval === undefined || approved === undefined) return refusals[0] ?? { kind: 'no_row' };
    approvalOf.delete(approval.approvalId); // the next in the batch has to ask for another one
    return { ...hold(approved), approvalId: approval.approvalId };
  }

  function hold({ micros: held, capIds, lines, needs }: Offer): Extract<HoldDecision, { kind: 'held' }> {
    for (const { cap, micros: needed } of needs) taken.set(cap.capId, (taken.get(cap.capId) ?? 0n) + needed);
    for (const line of lines) {
      lineOf.set(ownLineKeyOf(line), line);
      changed.add(ownLineKeyOf(line));
    }
    const room = roomOf(needs.map(({ cap }) => withTaken(cap)));
    return { kind: 'held', capIds, lineKeys: lines.map(lineKeyOf), micros: held, room };
  }

  function withTaken(cap: CapState): CapState {
    return { ...cap, heldMicros: micros(cap.heldMicros + (taken.get(cap.capId) ?? 0n)) };
  }
}

/** The rows of other balances bound nobody any more, or are not known to this gateway yet. */
function coveringOf(ofAccount: readonly CapState[], found: readonly CapState[]): CapState[] {
  return ofAccount.filter((cap) => cap.scope === 'account' || found.includes(cap));
}

/** Held call by call, at what each can come to whatever was used before. */
function offerOutside({ micros: held, callCount }: HoldWish, found: readonly CapState[]): Offer {
  return {
    micros: held,
    eachMicros: micros(held / BigInt(callCount)),
    capIds: found.map(({ capId }) => capId),
    lines: [],
    needs: found.map((cap) => ({ cap, micros: held })),
  };
}

interface InLines {
  readonly wish: HoldWish;
  readonly wished: CallLines;
  readonly known: readonly Line[];
}

/** Caps that cover the lines hold what these can rise by; the others hold what each call can add to them. */
function offerInLines(
  { wish: { callCount }, wished, known }: InLines,
  found: readonly CapState[],
  covering: readonly CapState[],
): Offer {
  const { each, call, kind } = wished;
  const after = known.map((line, index) => {
    const price = each[index]?.price;
    if (price === undefined) throw new Error('a line without its price');
    const alone = isNothing(line.inFlight) && callCount === 1 ? kind : null;
    const next = withQuantities(line, price, { inFlight: addCalls(line.inFlight, call, callCount), alone });
    return { next, more: next.heldMicros - line.heldMicros, eachMicros: boundInLine(price, next, call) };
  });
  const eachMicros = after.reduce((most, line) => (line.eachMicros > most ? line.eachMicros : most), zeroMicros);
  const held = micros(eachMicros * BigInt(callCount));
  const others = found.filter((cap) => !coversLines(cap));
  const ofLines = covering.map((cap) => ({
    cap,
    micros: after.reduce((sum, { next, more }) => (coversLine(cap, next) ? sum + more : sum), 0n),
  }));
  return {
    micros: held,
    eachMicros,
    capIds: others.map(({ capId }) => capId),
    lines: after.map(({ next }) => next),
    needs: [...ofLines, ...others.map((cap) => ({ cap, micros: held }))],
  };
}

function greatestNeed({ needs, micros: held }: Offer): bigint {
  return needs.reduce((most: bigint, need) => (need.micros > most ? need.micros : most), held);
}
