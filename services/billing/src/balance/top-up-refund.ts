/**
 * Why money of a top-up went back to its card: taken by a lost dispute, refunded at the processor by hand, or ordered by its
 * account.
 * `reinstated`: it came back to us, so the amount is below zero.
 */
export type TopUpRefundCause = 'dispute' | 'processor' | 'reinstated' | 'ordered';

/** Money of a top-up that went back to its card. */
export interface TopUpRefund {
  readonly id: string;
  readonly topUpId: string;
  readonly accountId: string;
  readonly amountCents: bigint;
  /** The part that the balance gave. It had spent the rest, which nobody gives. */
  readonly balanceCents: bigint;
  readonly cause: TopUpRefundCause;
  readonly createdAtMs: number;
}
