import type { Transaction } from '@tollgate/database/database';
import type { Earned } from './earned.ts';
import { noRemainder, type Payout, type Remainder } from './payout.ts';
import { planPendingPayouts, type PendingPayout } from './plan-pending-payouts.ts';
import { readPayout, readRemainderBefore } from './sql-payouts.ts';
import { readSettled } from './sql-charged-lines.ts';
import { gatherPendingPayouts, type PendingQuery } from './gather-pending-payouts.ts';

export interface PayoutQuery extends PendingQuery {
  readonly id: string;
}

/** A payout with all of its parts: carriedIn + earned = net + fee + the remainder for the next payout. */
export interface OpenedPayout {
  readonly payout: Payout | PendingPayout;
  readonly earned: readonly Earned[];
  readonly carriedIn: Remainder;
}

/** Reads a stored payout, or computes a pending one. Undefined if the builder has no such payout. */
export async function openPayout(tx: Transaction, query: PayoutQuery): Promise<OpenedPayout | undefined> {
  const { builderId, id } = query;
  const stored = await readPayout(tx, builderId, id);
  if (stored !== undefined) {
    const earned = await readSettled(tx, builderId, id);
    return { payout: stored, earned, carriedIn: await readRemainderBefore(tx, builderId, stored.period) };
  }
  const { payouts } = planPendingPayouts(await gatherPendingPayouts(tx, query));
  const pending = payouts.find((payout) => payout.id === id);
  if (pending === undefined) return undefined;
  if (!pending.hasCollected) return { payout: pending, earned: pending.uncollected, carriedIn: noRemainder };
  const collected = await readSettled(tx, builderId, null);
  const carriedIn = await readRemainderBefore(tx, builderId, pending.period);
  return { payout: pending, earned: [...collected, ...pending.uncollected], carriedIn };
}
