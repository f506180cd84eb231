/** Money on the balance of a consumer: the operator granted it, or the consumer paid a top-up. */
export interface Credit {
  readonly id: string;
  readonly accountId: string;
  /** The top-up that it is; null for a grant. */
  readonly topUpId: string | null;
  readonly amountCents: bigint;
  /** The part that is not spent yet. */
  readonly leftCents: bigint;
  readonly reason: string;
  /** A grant pays for calls from then on. It says nothing of a top-up, which pays for calls of any time. */
  readonly effectiveFromMs: number;
  /** A grant pays for calls until then, as it was granted; null: for ever. */
  readonly expiresAtMs: number | null;
  /** The same, or later where an invoice gave money back. */
  readonly endsAtMs: number | null;
  readonly createdAtMs: number;
  /** A dispute of its top-up is open, so nothing spends it. */
  readonly isDisputed: boolean;
}

/** The change of one credit by a posting: above zero money came in, below zero money was taken. */
export interface CreditMove {
  readonly creditId: string;
  readonly amountCents: bigint;
}
