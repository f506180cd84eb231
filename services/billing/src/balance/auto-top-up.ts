/** What an account wants to be topped up by itself. */
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
  /** What was topped up by itself this month, in cents. */
  readonly orderedCents: bigint;
}
