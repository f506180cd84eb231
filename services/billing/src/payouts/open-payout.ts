import { micros } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Transaction } from '@tollgate/database/database';
import type { Earned } from './earned.ts';
import { noRemainder, type Payout, type Remainder } from './payout.ts';
import { planPendingPayouts, type PendingPayout } from './plan-pending-payouts.ts';
import { readPayout, readRemainderBefore } from './sql-payouts.ts';
import { readSettled } from './sql-charged-lines.ts';
import { readReturnedCents } from './sql-transfer-returns.ts';
import { gatherPendingPayouts, type PendingQuery } from './gather-pending-payouts.ts';

export interface PayoutQuery extends PendingQuery {
  readonly id: string;
}

/**
 * A payout with all of its parts: carriedIn + earned = net + fee + the remainder for the next payout. Parts of transfers that
 * came back are carried in.
 */
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
    return { payout: stored, earned, carriedIn: await readCarriedIn(tx, { ...stored, payoutId: id }) };
  }
  const { payouts } = planPendingPayouts(await gatherPendingPayouts(tx, query));
  const pending = payouts.find((payout) => payout.id === id);
  if (pending === undefined) return undefined;
  if (!pending.hasCollected) return { payout: pending, earned: pending.uncollected, carriedIn: noRemainder };
  const collected = await readSettled(tx, builderId, null);
  const carriedIn = await readCarriedIn(tx, { builderId, period: pending.period, payoutId: null });
  return { payout: pending, earned: [...collected, ...pending.uncollected], carriedIn };
}

interface CarriedInQuery {
  readonly builderId: string;
  readonly period: string;
  /** Null for a pending payout. */
  readonly payoutId: string | null;
}

async function readCarriedIn(tx: Transaction, { builderId, period, payoutId }: CarriedInQuery): Promise<Remainder> {
  const { earningMicros, feeMicros } = await readRemainderBefore(tx, builderId, period);
  const returnedCents = await readReturnedCents(tx, builderId, payoutId);
  return { earningMicros: micros(earningMicros + centsToMicros(returnedCents)), feeMicros };
}
