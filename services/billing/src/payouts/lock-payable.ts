import { micros, type Micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import { grossKeyOf, type FeeScope } from '../fees/fee-scope.ts';
import { lockBuilderGross } from '../fees/sql-builder-gross.ts';
import type { Payout } from './payout.ts';
import { readLaterMoney } from './sql-later-money.ts';
import { findLastPayoutDay } from './sql-payout-day.ts';
import { readBuilderBalances } from './sql-read-builder-balances.ts';

/**
 * Reads what is payable to the payout's builder of months whose payout days have come, after the lock that a refund needs. So
 * a failed payout that refunds have lowered below the minimum goes on with the money of the next payout day.
 */
export async function lockPayable(
  tx: Transaction,
  { builderId, period }: Pick<Payout, 'builderId' | 'period'>,
  scope: FeeScope,
): Promise<Micros> {
  await lockBuilderGross(tx, [{ builderId, grossKey: grossKeyOf(scope, period) }]);
  const balancesOf = await readBuilderBalances(tx, [builderId]);
  const lastDay = (await findLastPayoutDay(tx)) ?? period;
  const through = lastDay > period ? lastDay : period; // the payout day that has stored this payout may go on still
  const laterOf = await readLaterMoney(tx, { builderIds: [builderId], period: through });
  return micros(balancesOf(builderId).payableMicros - laterOf(builderId).earningMicros);
}
