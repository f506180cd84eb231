/** The settings of an account's automatic top-up. */
export interface AutoTopUpSettings {
  /** It is topped up when its balance, less what its calls have come to since the last invoice, is below this. */
  readonly belowCents: bigint;
  readonly amountCents: bigint;
  /** The most per calendar month, in UTC. */
  readonly monthlyMaxCents: bigint;
}

export interface AutoTopUp extends AutoTopUpSettings {
  readonly accountId: string;
  /** Failures in a row. */
  readonly failures: number;
  readonly failureCode: string | null;
  /** Null unless it waits after a failure. */
  readonly retryAtMs: number | null;
  /** The sum of this month's automatic top-ups, in cents. */
  readonly orderedCents: bigint;
}
