/** `failed`: the charge was declined, or never reached the processor. Another try is another top-up. */
export type TopUpStatus = 'pending' | 'succeeded' | 'failed';

/** Money that a consumer pays onto its own balance, by one charge of its payment method. */
export interface TopUp {
  readonly id: string;
  readonly accountId: string;
  readonly amountCents: bigint;
  /** `pending` while the outcome of its charge is unknown. */
  readonly status: TopUpStatus;
  /** The processor's code. Null unless it failed. */
  readonly failureCode: string | null;
  /** The account has set that its balance is topped up by itself. */
  readonly isAutomatic: boolean;
  readonly createdAtMs: number;
  readonly succeededAtMs: number | null;
}
