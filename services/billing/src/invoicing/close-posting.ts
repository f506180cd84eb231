import { micros } from '@tollgate/kernel/money';
import { movingEntries } from '../ledger/moving-entries.ts';
import type { LedgerEntry, LedgerPosting } from '../ledger/ledger-posting.ts';
import type { IssuedInvoice } from './issue-invoice.ts';

/**
 * The posting for a new invoice: receivable to builder_earned, each line's full charge. Carried amounts are not posted
 * again, since earlier closes posted them. Undefined if nothing was charged.
 */
export function closePosting({
  id,
  consumerId,
  chargeMicros,
  lines,
  issuedAtMs,
}: IssuedInvoice): LedgerPosting | undefined {
  const debit: LedgerEntry = { kind: 'receivable', ownerId: consumerId, amountMicros: chargeMicros };
  const credits = lines.map((line): LedgerEntry => ({
    kind: 'builder_earned',
    ownerId: line.builderId,
    amountMicros: micros(0n - line.chargeMicros),
  }));
  const entries = movingEntries([debit, ...credits]);
  if (entries.length === 0) return undefined;
  return { businessKey: `close:${id}`, occurredAtMs: issuedAtMs, entries };
}
