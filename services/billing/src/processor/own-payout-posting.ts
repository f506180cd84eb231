import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { LedgerPosting } from '../ledger/ledger-posting.ts';
import { movingEntries } from '../ledger/moving-entries.ts';

export interface OwnPayoutMoved {
  readonly ownPayoutId: string;
  /** 1 for the payout's first posting, 2 for its second, and so on. */
  readonly place: number;
  /** The amount that reached the bank by it; below zero if it came back. */
  readonly cents: bigint;
  readonly feeCents: bigint;
  readonly occurredAtMs: number;
}

/** A payout of the platform's own balance, or its return, with the processor's fee: bank and processor_fees → cash. */
export function ownPayoutPosting({ ownPayoutId, place, cents, feeCents, occurredAtMs }: OwnPayoutMoved): LedgerPosting {
  const entries = [
    { kind: 'bank', ownerId: null, amountMicros: centsToMicros(cents) },
    { kind: 'processor_fees', ownerId: null, amountMicros: centsToMicros(feeCents) },
    { kind: 'cash', ownerId: null, amountMicros: centsToMicros(-cents - feeCents) },
  ] as const;
  return { businessKey: `own-payout:${ownPayoutId}:${place}`, occurredAtMs, entries: movingEntries(entries) };
}
