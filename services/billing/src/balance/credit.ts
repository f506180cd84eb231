/** Money on the balance of a consumer: the operator granted it. */
export interface Credit {
  readonly id: string;
  readonly accountId: string;
  readonly amountCents: bigint;
  /** The part that nothing has taken yet. */
  readonly leftCents: bigint;
  readonly reason: string;
  /** Null if it never expires. */
  readonly expiresAtMs: number | null;
  readonly createdAtMs: number;
}

/** The change of one credit by a posting: above zero money came in, below zero money was taken. */
export interface CreditMove {
  readonly creditId: string;
  readonly amountCents: bigint;
}
