import { micros, sumMicros } from '@tollgate/kernel/money';
import { movingEntries } from '../ledger/moving-entries.ts';
import type { LedgerEntry, LedgerPosting } from '../ledger/ledger-posting.ts';
import type { EarnedLine } from './plan-release.ts';

export interface WriteOff {
  readonly invoiceId: string;
  readonly consumerId: string;
  /** The lines that a payment of the invoice would release, or their sums. */
  readonly lines: readonly Pick<EarnedLine, 'builderId' | 'chargeMicros'>[];
  readonly occurredAtMs: number;
}

/** The posting that writes off an invoice: builder_earned to receivable, the mirror of its lines' closes. */
export function writeOffPosting({ invoiceId, consumerId, lines, occurredAtMs }: WriteOff): LedgerPosting {
  const charged = sumMicros(lines.map(({ chargeMicros }) => chargeMicros));
  const entries: LedgerEntry[] = [
    ...lines.map((line) => earned(line)),
    { kind: 'receivable', ownerId: consumerId, amountMicros: micros(0n - charged) },
  ];
  return { businessKey: `written-off:${invoiceId}`, occurredAtMs, entries: movingEntries(entries) };
}

/** The posting that restores a written off invoice, because it is paid after all. */
export function restorePosting(writeOff: WriteOff): LedgerPosting {
  const entries = writeOffPosting(writeOff).entries.map((entry): LedgerEntry => ({
    ...entry,
    amountMicros: micros(0n - entry.amountMicros),
  }));
  return { businessKey: `restored:${writeOff.invoiceId}`, occurredAtMs: writeOff.occurredAtMs, entries };
}

function earned({ builderId, chargeMicros }: WriteOff['lines'][number]): LedgerEntry {
  return { kind: 'builder_earned', ownerId: builderId, amountMicros: chargeMicros };
}
