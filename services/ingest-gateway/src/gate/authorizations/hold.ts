import type { Metadata } from '@tollgate/contracts/forms/metadata';
import { micros, type Micros } from '@tollgate/kernel/money';
import type { SpendingWindow } from '../../passes/spending-window.ts';
import type { CallLines } from '../deciding/call-lines.ts';

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
  /** The passes that this one is a part of. */
  readonly ancestorIds: readonly string[];
  readonly toolId: string;
  readonly priceId: string;
  readonly eventId: string;
  /** The most that each call can have. */
  readonly max: Quantities;
  readonly callCount: number;
  /** The most that all its calls can come to, whatever was used before. */
  readonly micros: Micros;
  readonly caps: readonly CapWish[];
  /** Undefined: what it can come to is the same whatever was used before, or is not asked. */
  readonly lines: CallLines | undefined;
  /** The most that a call may come to; undefined: it was compared already. */
  readonly perCallMaxMicros: Micros | undefined;
  /** A call that can come to more needs an approval; undefined: none does. */
  readonly approveAboveMicros: Micros | undefined;
  /** The approval that lets it through, if no other has used that. */
  readonly approvalId?: string;
  /** The call happens between these moments, both included. */
  readonly between: { readonly fromMs: number; readonly toMs: number };
  /** The gateway has heard that the account is past due. Whether it still is, is read at the decision. */
  readonly isPastDue: boolean;
  /** `captured`: its event goes into the log at once. */
  readonly state: 'open' | 'captured';
  /**
   * The hash of the event's body, in base64url; for an authorization, that of its request. Undefined if it cannot be
   * repeated.
   */
  readonly bodyHash: string | undefined;
  readonly askedAtMs: number;
  readonly expiresAtMs: number;
  /** The asker's own name for it. */
  readonly reference: string | null;
}

/** A hold as it is stored. An authorization for several calls is a book. Its captured calls have rows of their own. */
export interface Hold extends Omit<
  HoldWish,
  | 'ancestorIds'
  | 'approvalId'
  | 'approveAboveMicros'
  | 'between'
  | 'caps'
  | 'isPastDue'
  | 'lines'
  | 'perCallMaxMicros'
  | 'state'
> {
  /** The caps that hold its `micros`. */
  readonly capIds: readonly bigint[];
  /** The lines that it stands in: the caps that cover them hold what the lines can come to, and are not in `capIds`. */
  readonly lineKeys: readonly string[];
  /** The money that is held. For a book, it is that of all calls that are not settled, in any state of the book. */
  readonly micros: Micros;
  /** The money that a book holds for each call that is not captured. Null if the hold is for one call. */
  readonly eachMicros: Micros | null;
  /** The settled calls of a book, with a 1 for each. */
  readonly settledCalls: string;
  readonly state: HoldState;
  readonly chargedMicros: Micros | null;
}

export interface CapState extends CapWish {
  readonly capId: bigint;
  readonly accountId: string;
  readonly capMicros: Micros;
  readonly spentMicros: Micros;
  readonly heldMicros: Micros;
  /**
   * The bound of a balance's cap: `allowance` bounds an account without a payment method, and `nothing` one that has
   * got one meanwhile.
   */
  readonly boundBy?: 'allowance' | 'nothing';
}

export function isBook({ callCount }: Pick<Hold, 'callCount'>): boolean {
  return callCount > 1;
}

/** How a hold begins: as a book, if it is for several calls. */
export function noCallsOf({
  callCount,
  micros: held,
}: Pick<Hold, 'callCount' | 'micros'>): Pick<Hold, 'eachMicros' | 'settledCalls'> {
  if (!isBook({ callCount })) return { eachMicros: null, settledCalls: '' };
  return { eachMicros: micros(held / BigInt(callCount)), settledCalls: '0'.repeat(callCount) };
}

/** How many calls of a book are settled. */
export function settledCallsOf({ settledCalls }: Hold): number {
  return settledCalls.split('1').length - 1;
}

export function capKeyOf({ scope, ownerId, startMs, endMs }: CapWish): string {
  return `${scope} ${ownerId} ${startMs} ${endMs}`;
}

/** A captured hold, or a captured call of a book. */
export interface Captured {
  /** The book's for a call. */
  readonly holdId: string;
  readonly callIndex: number | null;
}

export function capturedKeyOf({ holdId, callIndex }: Captured): string {
  return callIndex === null ? holdId : `${holdId} ${callIndex}`;
}

/** The counted event of what was captured. */
export interface HeldEvent extends Captured {
  readonly toolId: string;
  readonly occurredAtMs: number;
  readonly success: boolean;
  readonly durationMs: bigint;
  readonly metadata: Metadata;
  readonly heldMicros: bigint;
}

/** A hold or a call with the charge of its event. */
export interface SettledHold extends Captured {
  readonly occurredAtMs: number;
  readonly chargedMicros: bigint;
  /** The charge to its pass: at most what was held for it. Other callers' calls may have made it dearer. */
  readonly passMicros: bigint;
}
