import { periodBounds, periodOf } from '@tollgate/kernel/period';
import type { Transaction } from '@tollgate/database/database';
import type { FeeScope } from '../fees/fee-scope.ts';
import { followingPeriod } from '../invoicing/due-period.ts';
import type { PendingFacts } from './plan-pending-payouts.ts';
import { readBuilderBalances } from './sql-read-builder-balances.ts';
import { readBuilderGross } from '../fees/sql-builder-gross.ts';
import { readMoneyProgress } from './sql-read-money-progress.ts';
import { readUncollected } from './sql-charged-lines.ts';
import { rateOpenMonths, rateUnbilled } from '../usage/rate-unbilled.ts';

export interface PendingQuery {
  readonly builderId: string;
  readonly scope: FeeScope;
  readonly nowMs: number;
}

/**
 * Reads the builder's earnings that are in no payout: billed ones from the books; open periods, and calls of closed ones
 * that no invoice has billed, are rated live.
 */
export async function gatherPendingPayouts(
  tx: Transaction,
  { builderId, scope, nowMs }: PendingQuery,
): Promise<PendingFacts> {
  const { firstClosed, lastClosed, lastPayoutDay } = await readMoneyProgress(tx);
  const balancesOf = await readBuilderBalances(tx, [builderId]);
  const billed = await readUncollected(tx, builderId);
  const late = await rateUnbilled(tx, builderId);
  const open = await rateOpenMonths(tx, { builderId, lastClosed, untilMs: periodBounds(periodOf(nowMs)).end });
  return {
    builderId,
    scope,
    balances: balancesOf(builderId),
    gross: await readBuilderGross(tx, builderId),
    firstPeriod: lastPayoutDay === null ? firstClosed : followingPeriod(lastPayoutDay),
    uncollected: [
      ...billed,
      ...late.map((charge) => ({ by: 'adjustment' as const, ...charge })),
      ...open.map((charge) => ({ by: 'usage' as const, ...charge })),
    ],
  };
}
