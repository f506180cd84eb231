/** `failed`: its money is on the balance again. A failed order may still succeed late. */
export type BalanceRefundStatus = 'pending' | 'succeeded' | 'failed';

/** The part of a refund of a balance that goes back to the card of one top-up. */
export interface BalanceRefundPart {
  readonly id: string;
  readonly topUpId: string;
  readonly accountId: string;
  readonly amountCents: bigint;
  /** `pending` while the outcome at the processor is unknown. */
  readonly status: BalanceRefundStatus;
  /** The processor's code. Null unless it failed. */
  readonly failureCode: string | null;
  readonly createdAtMs: number;
}

/** Unused balance that its account wants back. */
export interface BalanceRefund {
  readonly id: string;
  readonly accountId: string;
  /** The sum of its parts. */
  readonly amountCents: bigint;
  /** Each top-up whose card gets money back, the newest first. */
  readonly parts: readonly BalanceRefundPart[];
  readonly createdAtMs: number;
}
