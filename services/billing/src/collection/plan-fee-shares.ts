import { micros, type Micros } from '@tollgate/kernel/money';
import { splitByWeight } from '../fees/split-by-weight.ts';
import type { LedgerEntry, LedgerPosting } from '../ledger/ledger-posting.ts';
import type { ReleasedSum } from './charge-postings.ts';

export interface FeeShare {
  readonly builderId: string;
  /** Above zero. */
  readonly amountMicros: Micros;
}

export interface FeeToShare {
  readonly feeMicros: Micros;
  /** The sums that the payment released, by builder. */
  readonly released: readonly Pick<ReleasedSum, 'builderId' | 'earningMicros'>[];
}

/**
 * Divides the processor's fee on a charge among the builders whom it paid, in proportion to their earnings; ties go in the
 * order of their ids. No builder gives more than it earned: what is left of the fee is the platform's.
 */
export function planFeeShares({ feeMicros, released }: FeeToShare): FeeShare[] {
  const earned = released
    .filter(({ earningMicros }) => earningMicros > 0n)
    .toSorted((a, b) => (a.builderId < b.builderId ? -1 : 1));
  const earnedInAll = earned.reduce((sum, { earningMicros }) => sum + earningMicros, 0n);
  const shared = micros(feeMicros < earnedInAll ? feeMicros : earnedInAll);
  const shares = splitByWeight(
    shared,
    earned.map(({ earningMicros }) => earningMicros),
  );
  return earned.flatMap(({ builderId }, index) => {
    const amountMicros = shares[index] ?? micros(0n);
    return amountMicros > 0n ? [{ builderId, amountMicros }] : [];
  });
}

interface FeeShared {
  readonly attemptId: string;
  readonly occurredAtMs: number;
}

/** The posting that moves the shares from the builders to the platform's cost of the fee. */
export function feeSharePosting({ attemptId, occurredAtMs }: FeeShared, shares: readonly FeeShare[]): LedgerPosting {
  const inAll = shares.reduce((sum, { amountMicros }) => sum + amountMicros, 0n);
  const entries: LedgerEntry[] = [
    ...shares.map(({ builderId: ownerId, amountMicros }) => {
      return { kind: 'builder_payable', ownerId, amountMicros } as const;
    }),
    { kind: 'processor_fees', ownerId: null, amountMicros: micros(0n - inAll) },
  ];
  return { businessKey: `fee-share:${attemptId}`, occurredAtMs, entries };
}
