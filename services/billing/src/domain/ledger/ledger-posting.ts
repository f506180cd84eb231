import type { Micros } from '@tollgate/kernel/money';

export type LedgerAccountKind = 'receivable' | 'builder_earned';

export interface LedgerEntry {
  readonly kind: LedgerAccountKind;
  /** Whose account of this kind. */
  readonly ownerId: string;
  /** A debit above zero, a credit below; never zero. */
  readonly amountMicros: Micros;
}

/** Entries that sum to zero, posted together and once: the database refuses a second of the same business key. */
export interface LedgerPosting {
  readonly businessKey: string;
  readonly occurredAtMs: number;
  readonly entries: readonly LedgerEntry[];
}
