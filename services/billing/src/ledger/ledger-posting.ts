import { type Micros, micros } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';

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

/** One account of the ledger. The platform's accounts have no owner. */
export type LedgerAccount = Pick<LedgerEntry, 'kind'> & { readonly ownerId?: string };

export interface CentsMoved {
  readonly businessKey: string;
  readonly occurredAtMs: number;
  /** Whole cents, above zero. */
  readonly cents: bigint;
  readonly debit: LedgerAccount;
  readonly credit: LedgerAccount;
}

/** A posting that moves one amount from one account to another. */
export function moveCents({ businessKey, occurredAtMs, cents, debit, credit }: CentsMoved): LedgerPosting {
  const amountMicros = centsToMicros(cents);
  const entries = [
    { ownerId: null, ...debit, amountMicros },
    { ownerId: null, ...credit, amountMicros: micros(0n - amountMicros) },
  ];
  return { businessKey, occurredAtMs, entries };
}

/** Drops entries of zero, which the ledger refuses. */
export function movingEntries(entries: readonly LedgerEntry[]): LedgerEntry[] {
  return entries.filter(({ amountMicros }) => amountMicros !== 0n);
}

export interface ChargedMoney {
  readonly attemptId: string;
  readonly cents: bigint;
  readonly occurredAtMs: number;
}

/** The fee that the processor kept of a charge: processor_fees → cash. */
export function chargeFeePosting({ attemptId, ...money }: ChargedMoney): LedgerPosting {
  const accounts = { debit: { kind: 'processor_fees' }, credit: { kind: 'cash' } } as const;
  return moveCents({ ...money, businessKey: `charge-fee:${attemptId}`, ...accounts });
}
