import { micros, type Micros } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Transaction } from '@tollgate/database/database';
import { sumEarned, type Earned } from './earned.ts';
import type { Payout, Remainder } from './payout.ts';
import { planPendingPayouts, type PendingPayout } from './plan-pending-payouts.ts';
import { readPayout } from './sql-payouts.ts';
import { sumFeeShares, readSettled } from './sql-charged-lines.ts';
import { gatherPendingLines, type PendingQuery } from './gather-pending-payouts.ts';

export interface PayoutQuery extends PendingQuery {
  readonly id: string;
}

/**
 * A payout with all of its parts: carriedIn + earned − processorFees = net + fee + carriedOut. Parts of transfers that
 * came back are carried in.
 */
export interface OpenedPayout {
  readonly payout: Payout | PendingPayout;
  readonly earned: readonly Earned[];
  /** The builder's shares in the fees of the processor, which lowered the net. */
  readonly processorFeesMicros: Micros;
  readonly carriedIn: Remainder;
  readonly carriedOut: Remainder;
}

/** Reads a stored payout, or computes a pending one. Undefined if the builder has no such payout. */
export async function openPayout(tx: Transaction, query: PayoutQuery): Promise<OpenedPayout | undefined> {
  const { builderId, id } = query;
  const stored = await readPayout(tx, builderId, id);
  if (stored !== undefined) {
    const processorFeesMicros = await sumFeeShares(tx, builderId, { payoutId: id });
    return partsOf(stored, { earned: await readSettled(tx, builderId, { payoutId: id }), processorFeesMicros });
  }
  const { payouts } = planPendingPayouts(await gatherPendingLines(tx, query));
  const pending = payouts.find((payout) => payout.id === id);
  if (pending === undefined) return undefined;
  const months = { after: pending.afterPeriod, through: pending.period };
  const collected = await readSettled(tx, builderId, months);
  const processorFeesMicros = await sumFeeShares(tx, builderId, months);
  return partsOf(pending, { earned: [...collected, ...pending.uncollected], processorFeesMicros });
}

/**
 * The rest of a payout's money that is not from its lines came in from earlier payouts: they left it, held it or got it
 * back. `tollgate operator ledger check` proves that.
 */
function partsOf(
  payout: OpenedPayout['payout'],
  { earned, processorFeesMicros }: Pick<OpenedPayout, 'earned' | 'processorFeesMicros'>,
): OpenedPayout {
  const heldCents = payout.status === 'pending' ? 0n : payout.heldCents;
  const { earningMicros, feeMicros } = payout.left;
  const carriedOut = { earningMicros: micros(earningMicros + centsToMicros(heldCents)), feeMicros };
  const sums = sumEarned(earned);
  const carriedIn = {
    earningMicros: micros(
      centsToMicros(payout.netCents) + carriedOut.earningMicros + processorFeesMicros - sums.earningMicros,
    ),
    feeMicros: micros(centsToMicros(payout.feeCents) + feeMicros - sums.feeMicros),
  };
  return { payout, earned, processorFeesMicros, carriedIn, carriedOut };
}
