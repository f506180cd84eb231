import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import type { FeeScope } from '../fees/fee-scope.ts';
import { splitCharges, type GrossByKey } from '../fees/fee-splits.ts';
import { sumEarned, type Charged, type Earned } from './earned.ts';
import { noRemainder, payoutIdOf } from './payout.ts';
import { notPaidOut, toPayoutCents, type BuilderBalances, type PayoutCents } from './plan-payout.ts';

export interface PendingFacts {
  readonly builderId: string;
  readonly scope: FeeScope;
  readonly balances: BuilderBalances;
  readonly gross: GrossByKey;
  /** The first period whose payout day is still to come: it takes what is older, too. Null: no period was ever closed. */
  readonly firstPeriod: string | null;
  /** Charged and not collected yet, written-off money aside; by period. */
  readonly uncollected: readonly Charged[];
}

/** What the payout of a period would be if all was collected that was charged. */
export interface PendingPayout extends PayoutCents {
  readonly id: string;
  readonly builderId: string;
  readonly period: string;
  readonly status: 'pending';
  /** What is collected and in no payout is in the first one, whatever it was earned in. */
  readonly hasCollected: boolean;
  /** Not collected yet. */
  readonly uncollected: readonly Earned[];
}

export interface PendingPlan {
  /** The oldest first. None for a period that earned nothing. */
  readonly payouts: readonly PendingPayout[];
  /** All that was earned and is not paid out, collected or not, less its fee. */
  readonly balanceMicros: Micros;
}

/**
 * Each period takes the fee that the gross of all before it leaves, as its release will. So the rows add up to
 * payable + in transit + U − (F(G + U) − F(G)), save what each of them rounds down.
 */
export function planPendingPayouts(facts: PendingFacts): PendingPlan {
  const { balances, scope, gross, uncollected } = facts;
  const { splits } = splitCharges(uncollected, { scope, gross });
  const earned = uncollected.map((charged, index): Earned => {
    const { earningMicros, feeMicros } = splits[index] ?? missing();
    return { ...charged, earningMicros, feeMicros };
  });
  const owed = balances.payableMicros + balances.inTransitMicros;
  return {
    payouts: payoutsOf(facts, earned),
    balanceMicros: micros(owed + sumEarned(earned).earningMicros),
  };
}

function payoutsOf(facts: PendingFacts, earned: readonly Earned[]): PendingPayout[] {
  const { builderId, firstPeriod } = facts;
  const byPeriod = Map.groupBy(earned, ({ period }) => laterOf(period, firstPeriod));
  if (firstPeriod !== null && !byPeriod.has(firstPeriod)) byPeriod.set(firstPeriod, []);
  const periods = [...byPeriod.keys()].toSorted();
  return periods
    .map((period, index): PendingPayout => {
      const hasCollected = index === 0;
      const collected = hasCollected ? notPaidOut(facts) : noRemainder;
      const uncollected = byPeriod.get(period) ?? [];
      const all = sumEarned([{ ...collected, chargeMicros: zeroMicros }, ...uncollected]);
      const id = payoutIdOf(builderId, period);
      return { id, builderId, period, status: 'pending', hasCollected, uncollected, ...toPayoutCents(all) };
    })
    .filter(hasEarned);
}

function laterOf(period: string, firstPeriod: string | null): string {
  return firstPeriod === null || period > firstPeriod ? period : firstPeriod;
}

/** A remainder of less than a cent alone is no payout. */
function hasEarned({ netCents, feeCents, uncollected }: PendingPayout): boolean {
  return netCents !== 0n || feeCents !== 0n || uncollected.some(({ chargeMicros }) => chargeMicros !== 0n);
}

function missing(): never {
  throw new Error('a charge was not split');
}
