import { sumMicros } from '@tollgate/kernel/money';
import { periodBounds, periodOf } from '@tollgate/kernel/period';
import type { Transaction } from '@tollgate/database/database';
import type { FeeScope } from '../fees/fee.ts';
import { followingPeriod } from '../invoicing/due-period.ts';
import type { PeriodCharge } from '../fees/fee-splits.ts';
import type { Charged } from './earned.ts';
import type { PendingFacts } from './plan-pending-payouts.ts';
import { readBuilderBalances, readOwnLaterMoney, readMoneyProgress } from './sql-read-builder-balances.ts';
import { readBuilderGross } from '../fees/sql-builder-gross.ts';
import { readUncollected, sumUncollected } from './sql-charged-lines.ts';
import { rateOpenMonths, rateUnbilled } from '../usage/rate-unbilled.ts';

export interface PendingQuery {
  readonly builderId: string;
  readonly scope: FeeScope;
  readonly nowMs: number;
}

/**
 * Reads the builder's earnings that are in no payout, charge by charge: billed ones from the books; open periods, and
 * calls of closed ones that no invoice has billed, are rated live.
 */
export async function gatherPendingLines(tx: Transaction, query: PendingQuery): Promise<PendingFacts<Charged>> {
  const { late, open, ...facts } = await gatherPending(tx, query);
  return {
    ...facts,
    uncollected: [
      ...(await readUncollected(tx, query.builderId)),
      ...late.map((charge) => ({ by: 'adjustment' as const, ...charge })),
      ...open.map((charge) => ({ by: 'usage' as const, ...charge })),
    ],
  };
}

/** Reads the same earnings as one sum per month. The cost does not grow with the builder's lines. */
export async function gatherPendingSums(tx: Transaction, query: PendingQuery): Promise<PendingFacts> {
  const { late, open, ...facts } = await gatherPending(tx, query);
  return {
    ...facts,
    uncollected: [...(await sumUncollected(tx, query.builderId)), ...sumByPeriod(late), ...sumByPeriod(open)],
  };
}

async function gatherPending(tx: Transaction, { builderId, scope, nowMs }: PendingQuery) {
  const { firstClosed, lastClosed, lastPayoutDay } = await readMoneyProgress(tx);
  const balancesOf = await readBuilderBalances(tx, [builderId]);
  const firstPeriod = lastPayoutDay === null ? firstClosed : followingPeriod(lastPayoutDay);
  return {
    builderId,
    scope,
    balances: balancesOf(builderId),
    gross: await readBuilderGross(tx, builderId),
    firstPeriod,
    later: firstPeriod === null ? [] : await readOwnLaterMoney(tx, builderId, firstPeriod),
    late: await rateUnbilled(tx, builderId),
    open: await rateOpenMonths(tx, { builderId, lastClosed, untilMs: periodBounds(periodOf(nowMs)).end }),
  };
}

function sumByPeriod(charges: readonly PeriodCharge[]): PeriodCharge[] {
  return [...Map.groupBy(charges, ({ period }) => period)].map(([period, ofPeriod]) => ({
    period,
    chargeMicros: sumMicros(ofPeriod.map(({ chargeMicros }) => chargeMicros)),
  }));
}
