import type { LedgerEntry } from './ledger-posting.ts';

/** Drops entries of zero, which the ledger refuses. */
export function movingEntries(entries: readonly LedgerEntry[]): LedgerEntry[] {
  return entries.filter(({ amountMicros }) => amountMicros !== 0n);
}
