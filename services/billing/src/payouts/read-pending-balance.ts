import type { Micros } from '@tollgate/kernel/money';
import { planPendingPayouts } from './plan-pending-payouts.ts';
import { gatherPendingSums } from './gather-pending-payouts.ts';
import type { PayoutReadingDeps } from './list-payouts.ts';

/**
 * Reads everything that a builder has earned and was not paid, less its fee. It includes uncollected money and this
 * month's calls.
 */
export function createReadPendingBalance({ database, scope, nowMs }: PayoutReadingDeps) {
  return async function readPendingBalance(builderId: string): Promise<Micros> {
    return database.transaction(
      async (tx) => {
        const facts = await gatherPendingSums(tx, { builderId, scope, nowMs: nowMs() });
        return planPendingPayouts(facts).balanceMicros;
      },
      { accountId: builderId, isolation: 'snapshot' },
    );
  };
}

export type ReadPendingBalance = ReturnType<typeof createReadPendingBalance>;
