import { AppError } from '@tollgate/kernel/app-error';
import type { Database } from '@tollgate/database/database';
import type { Payout } from './payout.ts';
import { readAnyPayout } from './sql-payouts.ts';
import { readTransfers, type TransferAttempt } from './sql-transfers.ts';

export interface PayoutAttempts {
  readonly payout: Payout;
  readonly transfers: readonly TransferAttempt[];
}

/** Finds any builder's payout with its transfers, for the operator. Throws `not_found`. */
export function createFindPayoutAttempts({ database }: { readonly database: Database }) {
  return async function findPayoutAttempts(payoutId: string): Promise<PayoutAttempts> {
    return database.transaction(async (tx) => {
      const payout = await readAnyPayout(tx, payoutId);
      if (payout === undefined) throw new AppError('not_found', `There is no payout \`${payoutId}\`.`);
      return { payout, transfers: await readTransfers(tx, payoutId) };
    });
  };
}

export type FindPayoutAttempts = ReturnType<typeof createFindPayoutAttempts>;
