/** Money in the account `rounding` that a consumer paid or got back, and that belongs to no invoice. */
export interface StrayMoney {
  readonly attemptId: string;
  readonly kind: 'charge' | 'returned_refund';
  readonly invoiceId: string;
  readonly consumerId: string;
  /** The charge at the processor to which it can go back. */
  readonly chargeObjectId: string;
  readonly processor: string;
  readonly amountCents: bigint;
  /** Less what was given back, or is on its way. */
  readonly leftCents: bigint;
  readonly sinceMs: number;
}
