import { AppError } from '@tollgate/kernel/app-error';
import type { Database } from '@tollgate/database/database';
import { findAccount } from '../invoicing/sql-accounts.ts';
import type { Credit } from './credit.ts';
import { listCredits } from './sql-balance-credits.ts';

/** Lists all credits of an account, newest first, for the operator. Throws `not_found`. */
export function createFindCredits({ database }: { readonly database: Database }) {
  return async function findCredits(accountId: string): Promise<Credit[]> {
    if ((await findAccount(database, accountId)) === undefined)
      throw new AppError('not_found', `There is no account \`${accountId}\`.`);
    return listCredits(database, accountId);
  };
}

export type FindCredits = ReturnType<typeof createFindCredits>;
