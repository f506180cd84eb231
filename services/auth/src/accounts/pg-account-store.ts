import type { Database } from '@tollgate/database/database';
import type { AccountStore } from '../ports.ts';
import { endOtherSessions } from '../sessions/sql-end-other-sessions.ts';
import { findAccountByEmail } from './sql-find-account-by-email.ts';
import { insertAccount } from './sql-insert-account.ts';
import { insertSession } from '../sessions/sql-insert-session.ts';
import { readAccount } from './sql-read-account.ts';
import { updatePassword } from './sql-update-password.ts';

interface Databases {
  /** auth_api: acts for one account, under its row-level policies. */
  readonly api: Database;
  /** auth_worker: whoever registers or signs in is not an account yet. */
  readonly worker: Database;
}

export function createPgAccountStore({ api, worker }: Databases): AccountStore {
  return {
    register: (account, session) =>
      worker.transaction(async (tx) => {
        if (!(await insertAccount(tx, account))) return 'email_taken';
        await insertSession(tx, session, account.passwordHash);
        return 'registered';
      }),
    findByEmail: (email) => findAccountByEmail(worker, email),
    read: (accountId) => api.transaction((tx) => readAccount(tx, accountId), { accountId }),
    changePassword: (change) =>
      api.transaction(
        async (tx) => {
          if (!(await updatePassword(tx, change))) return false;
          await endOtherSessions(tx, change);
          return true;
        },
        { accountId: change.accountId },
      ),
  };
}
