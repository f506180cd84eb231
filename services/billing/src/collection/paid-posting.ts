import { micros } from '@tollgate/kernel/money';
import { movingEntries } from '../ledger/moving-entries.ts';
import type { LedgerEntry, LedgerPosting } from '../ledger/ledger-posting.ts';
import type { ReleasedLine } from './plan-release.ts';
import { centsToMicros } from '@tollgate/kernel/whole-cents';

export interface PaidInvoice {
  readonly id: string;
  readonly consumerId: string;
  /** The part that the last charge paid. The balance paid the rest, in postings of its own. */
  readonly chargedCents: bigint;
  /** The part that earlier charges paid, which has waited for this. */
  readonly partPaidCents: bigint;
  readonly paidAtMs: number;
}

/** The released lines of one builder, added up: charge = earning + fee. */
export type ReleasedSum = Pick<ReleasedLine, 'builderId' | 'chargeMicros' | 'earningMicros' | 'feeMicros'>;

/**
 * The posting for a paid invoice: cash and what waited to receivable. The charges of released lines move from builder_earned to
 * builder_payable, and their fees to platform_fees.
 */
export function paidPosting(
  { id, consumerId, chargedCents, partPaidCents, paidAtMs }: PaidInvoice,
  released: readonly ReleasedSum[],
) {
  const [charged, waited] = [centsToMicros(chargedCents), centsToMicros(partPaidCents)];
  const entries: LedgerEntry[] = [
    { kind: 'cash', ownerId: null, amountMicros: charged },
    { kind: 'part_paid', ownerId: consumerId, amountMicros: waited },
    { kind: 'receivable', ownerId: consumerId, amountMicros: micros(0n - charged - waited) },
    ...released.flatMap(releaseEntries),
  ];
  return { businessKey: `paid:${id}`, occurredAtMs: paidAtMs, entries: movingEntries(entries) } satisfies LedgerPosting;
}

function releaseEntries({ builderId, chargeMicros, earningMicros, feeMicros }: ReleasedSum): LedgerEntry[] {
  return [
    { kind: 'builder_earned', ownerId: builderId, amountMicros: chargeMicros },
    { kind: 'builder_payable', ownerId: builderId, amountMicros: micros(0n - earningMicros) },
    { kind: 'platform_fees', ownerId: null, amountMicros: micros(0n - feeMicros) },
  ];
}
