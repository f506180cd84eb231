import { AppError } from '@tollgate/kernel/app-error';
import { readTransfers, type TransferAttempt } from './sql-transfers.ts';
import type { PayoutReadingDeps } from './list-payouts.ts';
import { openPayout, type OpenedPayout } from './open-payout.ts';

export interface FoundPayout extends OpenedPayout {
  readonly transfers: readonly TransferAttempt[];
}

export interface OwnPayout {
  readonly builderId: string;
  readonly id: string;
}

/**
 * Finds a payout of this builder with its transfers. Throws `not_found` for an unknown id, and for another builder's
 * payout.
 */
export function createFindPayout({ database, scope, nowMs }: PayoutReadingDeps) {
  return async function findPayout({ builderId, id }: OwnPayout): Promise<FoundPayout> {
    return database.transaction(
      async (tx) => {
        const opened = await openPayout(tx, { builderId, id, scope, nowMs: nowMs() });
        if (opened === undefined) throw noSuchPayout(id);
        return { ...opened, transfers: await readTransfers(tx, id) };
      },
      { accountId: builderId, isolation: 'snapshot' },
    );
  };
}

export type FindPayout = ReturnType<typeof createFindPayout>;

function noSuchPayout(id: string): AppError {
  return new AppError('not_found', `You have no payout \`${id}\`.`);
}
