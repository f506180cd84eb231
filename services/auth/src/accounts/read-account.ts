import type { Database } from '@tollgate/database/database';
import { readAccount, type OwnAccount } from './sql-account.ts';

export type ReadAccount = (accountId: string) => Promise<OwnAccount | undefined>;

/** Connects as auth_api: under row-level policies an account sees its own row and no other. */
export function createReadAccount({ api }: { readonly api: Database }): ReadAccount {
  return function readOwnAccount(accountId) {
    return api.transaction((tx) => readAccount(tx, accountId), { accountId });
  };
}
