import type { Price } from '@tollgate/contracts/tools/price';
import type { Alone } from '@tollgate/pricing/bound-line';
import type { LineQuantities } from '@tollgate/pricing/quantity-of';

/** The usage of an account under one price version in one period. */
export interface LineId {
  readonly priceId: string;
  /** 'YYYY-MM'. */
  readonly period: string;
}

export interface WishedLine extends LineId {
  readonly toolId: string;
  readonly price: Price;
}

/** The lines that a call may fall into, and what it may add to one of them. */
export interface CallLines {
  readonly each: readonly WishedLine[];
  readonly call: LineQuantities;
  /** Whether the quantities are those of an event, or the most that a call can have. */
  readonly kind: Alone;
}
