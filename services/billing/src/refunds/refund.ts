export type RefundStatus = 'pending' | 'succeeded' | 'failed';

/**
 * Why money went back to a consumer: ordered by the operator, taken by a lost dispute, or refunded at the processor by
 * hand. `reinstated`: a lost dispute was won after all, so its money came back, and the amount is below zero.
 */
export type RefundCause = 'operator' | 'dispute' | 'processor' | 'reinstated';

/**
 * The lines that give a refund back. A line must fit all that is given: its builder, and one of the names. A name without
 * a price version or a charge is of all of them.
 */
export interface RefundPart {
  readonly builderId: string | null;
  readonly lines: readonly RefundedName[] | null;
}

export interface RefundedName {
  readonly toolId: string;
  readonly priceId: string | null;
  readonly chargeIndex: number | null;
}

/** Money that goes back to a consumer. */
export interface Refund {
  readonly id: string;
  readonly invoiceId: string;
  readonly amountCents: bigint;
  /** The part of the amount that goes back to the consumer's balance. The rest goes back to the card. */
  readonly balanceCents: bigint;
  readonly cause: RefundCause;
  readonly status: RefundStatus;
  readonly failureCode: string | null;
  readonly createdAtMs: number;
  readonly succeededAtMs: number | null;
  /** Null: all lines of the invoice give it back. */
  readonly part: RefundPart | null;
  /** The order whose stray money it gives back. Then no line gives anything. */
  readonly strayAttemptId: string | null;
  /** The charge at the processor that it goes back to. Null: to none, or it is from before an invoice could have several. */
  readonly chargeObjectId: string | null;
  /** The first refund of its order, if the order needed several. */
  readonly orderId: string | null;
}
