import { parseDecimal } from '@tollgate/kernel/decimal';
import type { Transaction } from '@tollgate/database/database';
import type { Line } from '@tollgate/pricing/line';
import { followingPeriod } from '../invoicing/due-period.ts';
import { firstPeriodOfLookBack } from '../invoicing/look-back.ts';
import { readLateUsage } from '../invoicing/sql-late-usage.ts';
import { readFirstUnclosed } from '../invoicing/sql-unclosed-consumers.ts';

/** Whether a line that is not billed yet will be on one of the next invoices, and so is not lost. */
export type IsWaiting = (line: Line) => boolean;

/** A line waits if its consumer was set aside by a close, or if it was counted late and a close will find it. */
export async function readWaiting(
  tx: Transaction,
  consumerIds: readonly string[],
  lastClosed: string,
): Promise<IsWaiting> {
  const firstPeriod = firstPeriodOfLookBack(followingPeriod(lastClosed));
  const unclosed = await readFirstUnclosed(tx, consumerIds);
  const late = await readLateUsage(tx, consumerIds, firstPeriod);
  const lateKeys = new Set(late.map(({ consumerId, period }) => `${consumerId} ${period}`));
  return ({ consumerId, period, quantity }) => {
    const unclosedFrom = unclosed.get(consumerId);
    if (unclosedFrom !== undefined && unclosedFrom <= period) return true;
    return lateKeys.has(`${consumerId} ${period}`) && parseDecimal(quantity).units > 0n;
  };
}
