import { micros, type Micros } from '@tollgate/kernel/money';
import type { FeeScope } from '../fees/fee.ts';
import { splitCharges, type GrossByKey, type PeriodCharge } from '../fees/fee-splits.ts';
import { sumEarned, type EarnedSums } from './earned.ts';
import { payoutIdOf, type MonthMoney } from './payout.ts';
import { notPaidOut, toPayoutCents, type BuilderBalances, type PayoutCents } from './plan-payout.ts';

export interface PendingFacts<Charge extends PeriodCharge = PeriodCharge> {
  readonly builderId: string;
  readonly scope: FeeScope;
  readonly balances: BuilderBalances;
  readonly gross: GrossByKey;
  /**
   * The first period whose payout day is still to come. Its payout also takes older money. Null if no period was ever
   * closed.
   */
  readonly firstPeriod: string | null;
  /** Collected money of later periods, which is in no payout: one sum a period. */
  readonly later: readonly MonthMoney[];
  /** Charges that are not collected, without written off money, ordered by period. */
  readonly uncollected: readonly Charge[];
}

/** The payout that a period would get if every charge were collected. */
export interface PendingPayout<Charge extends PeriodCharge = PeriodCharge> extends PayoutCents {
  readonly id: string;
  readonly builderId: string;
  readonly period: string;
  readonly status: 'pending';
  /**
   * It takes the collected money of the periods after this one, up to its own, that no payout has. The first payout takes
   * all that is older.
   */
  readonly afterPeriod: string;
  /** The earnings that are not collected yet. */
  readonly uncollected: readonly (Charge & EarnedSums)[];
}

export interface PendingPlan<Charge extends PeriodCharge = PeriodCharge> {
  /** The oldest period first. A period without earnings has no payout. */
  readonly payouts: readonly PendingPayout<Charge>[];
  /** Everything earned and not paid out, collected or not, less its fee. */
  readonly balanceMicros: Micros;
}

/**
 * Plans the pending payouts. Each charge takes the fee that the gross of all charges before it leaves, as its release
 * will do. So the payouts add up to payable + in transit + U − (F(G + U) − F(G)), but for the parts of a cent that each
 * rounds down. Here U is the uncollected charges, G the builder's gross and F the fee. Therefore charges of one month that
 * follow each other may also come as their sum: the plan is the same.
 */
export function planPendingPayouts<Charge extends PeriodCharge>(facts: PendingFacts<Charge>): PendingPlan<Charge> {
  const { balances, scope, gross, uncollected } = facts;
  const { splits } = splitCharges(uncollected, { scope, gross });
  const earned = uncollected.map((charged, index) => {
    const { earningMicros, feeMicros } = splits[index] ?? missing();
    return { ...charged, earningMicros, feeMicros };
  });
  const owed = balances.payableMicros + balances.inTransitMicros;
  return {
    payouts: payoutsOf(facts, earned),
    balanceMicros: micros(owed + sumEarned(earned).earningMicros),
  };
}

function payoutsOf<Charge extends PeriodCharge>(
  facts: PendingFacts<Charge>,
  earned: readonly (Charge & EarnedSums)[],
): PendingPayout<Charge>[] {
  const { builderId, firstPeriod } = facts;
  const byPeriod = Map.groupBy(earned, ({ period }) => laterOf(period, firstPeriod));
  const later = Map.groupBy(facts.later, ({ period }) => period);
  const first = firstPeriod === null ? [] : [firstPeriod];
  const periods = [...new Set([...first, ...byPeriod.keys(), ...later.keys()])].toSorted();
  return periods
    .map((period, index): PendingPayout<Charge> => {
      const afterPeriod = periods[index - 1] ?? '';
      const ofMonth =
        index === 0 ? [notPaidOut({ ...facts, later: sumEarned(facts.later) })] : (later.get(period) ?? []);
      const uncollected = byPeriod.get(period) ?? [];
      const all = sumEarned([...ofMonth, ...uncollected]);
      const id = payoutIdOf(builderId, period);
      return { id, builderId, period, status: 'pending', afterPeriod, uncollected, ...toPayoutCents(all) };
    })
    .filter(hasEarned);
}

function laterOf(period: string, firstPeriod: string | null): string {
  return firstPeriod === null || period > firstPeriod ? period : firstPeriod;
}

/** A remainder of less than a cent alone gives no payout. */
function hasEarned({ netCents, feeCents, uncollected }: PendingPayout): boolean {
  return netCents !== 0n || feeCents !== 0n || sumEarned(uncollected).chargeMicros !== 0n;
}

function missing(): never {
  throw new Error('a charge was not split');
}
