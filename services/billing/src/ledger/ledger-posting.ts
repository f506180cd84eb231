import type { Micros } from '@tollgate/kernel/money';

/**
 * The first seven kinds belong to accounts: four to a consumer, the next three to a builder. The others are the platform's.
 */
export type LedgerAccountKind =
  | 'receivable'
  | 'consumer_balance'
  | 'refund_in_transit'
  | 'part_paid'
  | 'builder_earned'
  | 'builder_payable'
  | 'in_transit'
  | 'platform_fees'
  | 'cash'
  | 'bank'
  | 'processor_fees'
  | 'promotions'
  | 'disputed'
  | 'rounding';

export interface LedgerEntry {
  readonly kind: LedgerAccountKind;
  /** The consumer or builder of the ledger account; null for the platform. */
  readonly ownerId: string | null;
  /** Above zero for a debit, below for a credit; never zero. */
  readonly amountMicros: Micros;
}

/**
 * Entries that sum to zero, posted together and once. The database refuses a second posting with the same business key.
 */
export interface LedgerPosting {
  readonly businessKey: string;
  readonly occurredAtMs: number;
  readonly entries: readonly LedgerEntry[];
}
