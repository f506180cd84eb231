import { micros } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { LedgerEntry, LedgerPosting } from './ledger-posting.ts';

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
