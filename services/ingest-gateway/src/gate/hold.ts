import type { Metadata } from '@tollgate/contracts/metadata';
import type { Micros } from '@tollgate/kernel/money';
import type { SpendingWindow } from './spending-window.ts';

export type HoldState = 'open' | 'captured' | 'settled' | 'released' | 'expired';

/** The most that the event of an authorization may have, as far as its price counts it. */
export interface Quantities {
  readonly durationMs: number;
  /** Plain decimals by metadata key. */
  readonly measures: Readonly<Record<string, string>>;
}

/** A cap that a hold must fit into: a row of gate.cap_state. */
export interface CapWish extends SpendingWindow {
  readonly scope: 'account' | 'pass';
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
  readonly max: Quantities;
  readonly micros: Micros;
  readonly caps: readonly CapWish[];
  /** `captured`: its event goes into the log at once. */
  readonly state: 'open' | 'captured';
  /** Of the event, base64url; of an authorization, of the request. Undefined: it cannot be repeated. */
  readonly bodyHash: string | undefined;
  readonly askedAtMs: number;
  readonly expiresAtMs: number;
}

/** A hold as it is stored. */
export interface Hold extends Omit<HoldWish, 'caps' | 'state'> {
  readonly capIds: readonly bigint[];
  readonly state: HoldState;
  readonly chargedMicros: Micros | null;
}

export interface CapState extends CapWish {
  readonly capId: bigint;
  readonly accountId: string;
  readonly capMicros: Micros;
  readonly spentMicros: Micros;
  readonly heldMicros: Micros;
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
