import type { Metadata } from '@tollgate/contracts/metadata';
import type { Micros } from '@tollgate/kernel/money';
import type { SpendingWindow } from '../passes/spending-window.ts';

export type HoldState = 'open' | 'captured' | 'settled' | 'released' | 'expired';

/** The most that the event of an authorization may have, as far as its price counts it. */
export interface Quantities {
  readonly durationMs: number;
  /** Plain decimals by metadata key. */
  readonly measures: Readonly<Record<string, string>>;
}

/** A cap that a hold must fit into: a row of gate.cap_state. */
export interface CapWish extends SpendingWindow {
  readonly scope: 'account' | 'pass' | 'balance';
  readonly ownerId: string;
}

/** Money to be held, before it is decided whether its caps have room for it. */
export interface HoldWish {
  /** The authorization's id; the event's for an event without one. */
  readonly holdId: string;
  readonly accountId: string;
  readonly askerId: string;
  readonly passId: string | null;
  readonly toolId: string;
  readonly priceId: string;
  readonly eventId: string;
  /** Of each call. */
  readonly max: Quantities;
  readonly callCount: number;
  /** The most that all its calls can come to. */
  readonly micros: Micros;
  readonly caps: readonly CapWish[];
  /** The gateway has heard that the account is past due. Whether it still is, is read at the decision. */
  readonly isPastDue: boolean;
  /** `captured`: its event goes into the log at once. */
  readonly state: 'open' | 'captured';
  /** Of the event, base64url; of an authorization, of the request. Undefined: it cannot be repeated. */
  readonly bodyHash: string | undefined;
  readonly askedAtMs: number;
  readonly expiresAtMs: number;
}

/**
 * A hold as it is stored. An authorization for several calls is a book: each call that is captured has a hold of its own, and
 * its money goes there.
 */
export interface Hold extends Omit<HoldWish, 'caps' | 'isPastDue' | 'state'> {
  readonly capIds: readonly bigint[];
  /** The book that a captured call is of. */
  readonly bookId: string | null;
  /** Of a book: so many of its calls are captured. */
  readonly capturedCount: number;
  readonly state: HoldState;
  readonly chargedMicros: Micros | null;
}

export interface CapState extends CapWish {
  readonly capId: bigint;
  readonly accountId: string;
  readonly capMicros: Micros;
  readonly spentMicros: Micros;
  readonly heldMicros: Micros;
  /** Of a balance: `allowance` bounds an account without a payment method, and `nothing` one that has got one meanwhile. */
  readonly boundBy?: 'allowance' | 'nothing';
}

export function isBook({ callCount }: Pick<Hold, 'callCount'>): boolean {
  return callCount > 1;
}

/** The calls that are not captured yet, and what is held for each of them. */
export function openCallsOf({ callCount, capturedCount, micros: held }: Hold): { count: number; eachMicros: bigint } {
  const count = callCount - capturedCount;
  return { count, eachMicros: count === 0 ? 0n : held / BigInt(count) };
}

export function capKeyOf({ scope, ownerId, startMs, endMs }: CapWish): string {
  return `${scope} ${ownerId} ${startMs} ${endMs}`;
}

/** The counted event of a captured hold. */
export interface HeldEvent {
  readonly holdId: string;
  readonly toolId: string;
  readonly occurredAtMs: number;
  readonly success: boolean;
  readonly durationMs: bigint;
  readonly metadata: Metadata;
}

/** What the event of a hold came to. */
export interface SettledHold {
  readonly holdId: string;
  readonly occurredAtMs: number;
  readonly chargedMicros: bigint;
}
