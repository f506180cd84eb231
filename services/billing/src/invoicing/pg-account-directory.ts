import type { Queryable } from '@tollgate/database/database';
import type { Account, AccountDirectory } from './account-directory.ts';
import { countAccounts, findAccount, listAccounts, type AccountRow } from './sql-accounts.ts';

/** As a worker role: no account may read the directory. */
export function createPgAccountDirectory(worker: Queryable): AccountDirectory {
  return {
    async list(query) {
      const [rows, total] = await Promise.all([listAccounts(worker, query), countAccounts(worker, query.email)]);
      return { rows: rows.map(fromDbAccount), total };
    },
    async find(accountId) {
      const row = await findAccount(worker, accountId);
      return row && fromDbAccount(row);
    },
  };
}

function fromDbAccount({ account_id, email, created_at }: AccountRow): Account {
  return { accountId: account_id, email, createdAtMs: created_at.getTime() };
}
