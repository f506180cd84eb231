import type { LedgerEntry } from './ledger-posting.ts';

/** The ledger takes no entry of nothing. */
export function movingEntries(entries: readonly LedgerEntry[]): LedgerEntry[] {
  return entries.filter(({ amountMicros }) => amountMicros !== 0n);
}
