import { isAppError } from '@tollgate/kernel/app-error';
import { nilUuid } from '@tollgate/kernel/uuid';
import { wholeSlice, type TimeSlice } from '@tollgate/runtime/timing/time-slice';
import { createWalk } from '@tollgate/runtime/timing/walk';
import { listAccountsWithThresholds, raiseThresholdAlerts } from './sql-balance-threshold.ts';
import type { BalanceDeps } from './credit.ts';

/**
 * Tells accounts whose balance has fallen below their thresholds. Returns how many alerts it raised; each crossing raises
 * one, by the database (F237). The gateway does the same as it settles calls; this sees what leaves or fills a balance
 * without a call. An account that fails does not hold up the others.
 */
export function createRaiseThresholdAlerts(deps: BalanceDeps) {
  const { database, readUnbilledCharges, log, batchMax = 100 } = deps;

  const walk = createWalk<string>(batchMax);

  return async function raiseThresholds(nowMs: number, slice: TimeSlice = wholeSlice): Promise<number> {
    let raised = 0;
    const accounts = walk(slice, ({ after: afterId = nilUuid, limit }) => {
      return listAccountsWithThresholds(database, { afterId, limit });
    });
    for await (const id of accounts) raised += await raise(id, nowMs);
    return raised;
  };

  /** Usage is only rated where the gate has no sum of it. */
  async function raise(accountId: string, nowMs: number): Promise<number> {
    try {
      const known = await raiseThresholdAlerts(database, { accountId, unbilledMicros: null, nowMs });
      if (known !== null) return known;
      const unbilledMicros = await readUnbilledCharges(accountId, nowMs);
      return (await raiseThresholdAlerts(database, { accountId, unbilledMicros, nowMs })) ?? 0;
    } catch (error) {
      if (isAppError(error, 'unavailable')) return 0; // another large preview is made
      log.error(
        { account: accountId, err: error },
        'could not compare a balance with its thresholds; the next round tries again',
      );
      return 0;
    }
  }
}
