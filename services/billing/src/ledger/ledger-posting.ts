import type { Micros } from '@tollgate/kernel/money';

/** The first four are an account's each: of a consumer, then of builders. The others are the platform's own. */
export type LedgerAccountKind =
  | 'receivable'
  | 'builder_earned'
  | 'builder_payable'
  | 'in_transit'
  | 'platform_fees'
  | 'cash'
  | 'processor_fees'
  | 'rounding';

export interface LedgerEntry {
  readonly kind: LedgerAccountKind;
  /** Whose account of this kind; null: the platform's own. */
  readonly ownerId: string | null;
  /** A debit above zero, a credit below; never zero. */
  readonly amountMicros: Micros;
}

/** Entries that sum to zero, posted together and once: the database refuses a second of the same business key. */
export interface LedgerPosting {
  readonly businessKey: string;
  readonly occurredAtMs: number;
  readonly entries: readonly LedgerEntry[];
}
