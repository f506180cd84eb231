export type RefundStatus = 'pending' | 'succeeded' | 'failed';

/** Money that goes back to a consumer: ordered by the operator, or taken by a lost dispute. */
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
