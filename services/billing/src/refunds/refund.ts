export type RefundStatus = 'pending' | 'succeeded' | 'failed';

/** Money given back: by the operator through the processor, or taken back by a dispute that was lost. */
export interface Refund {
  readonly id: string;
  readonly invoiceId: string;
  readonly amountCents: bigint;
  readonly cause: 'operator' | 'dispute';
  readonly status: RefundStatus;
  readonly failureCode: string | null;
  readonly createdAtMs: number;
  readonly succeededAtMs: number | null;
}
