import type { Transaction } from '@tollgate/database/database';

/** Whatever is counted per account is counted under this lock. It lets foreign keys through (no key update). */
export async function lockAccount(tx: Transaction, accountId: string): Promise<void> {
  await tx.query(statement, [accountId]);
}

const statement = {
  name: 'auth.lock_account',
  text: 'select account_id from auth.account where account_id = $1 for no key update',
};
