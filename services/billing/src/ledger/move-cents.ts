import { micros } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { LedgerEntry, LedgerPosting } from './ledger-posting.ts';

/** One account of the ledger; the platform's own have no owner. */
export type LedgerAccount = Pick<LedgerEntry, 'kind'> & { readonly ownerId?: string };

export interface CentsMoved {
  readonly businessKey: string;
  readonly occurredAtMs: number;
  /** Above zero. */
  readonly cents: bigint;
  readonly debit: LedgerAccount;
  readonly credit: LedgerAccount;
}

/** What moves as a whole from one account to another. */
export function moveCents({ businessKey, occurredAtMs, cents, debit, credit }: CentsMoved): LedgerPosting {
  const amountMicros = centsToMicros(cents);
  const entries = [
    { ownerId: null, ...debit, amountMicros },
    { ownerId: null, ...credit, amountMicros: micros(0n - amountMicros) },
  ];
  return { businessKey, occurredAtMs, entries };
}
