export type RefundStatus = 'pending' | 'succeeded' | 'failed';

/**
 * Why money went back to a consumer: ordered by the operator, taken by a lost dispute, or refunded at the processor by
 * hand. `reinstated`: a lost dispute was won after all, so its money came back, and the amount is below zero.
 */
export type RefundCause = 'operator' | 'dispute' | 'processor' | 'reinstated';

/** Money that goes back to a consumer. */
export interface Refund {
  readonly id: string;
  readonly invoiceId: string;
  readonly amountCents: bigint;
  readonly cause: RefundCause;
  readonly status: RefundStatus;
  readonly failureCode: string | null;
  readonly createdAtMs: number;
  readonly succeededAtMs: number | null;
}
