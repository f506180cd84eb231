import type { Transaction } from '@tollgate/database/database';
import type { Account } from '../ports.ts';

/** False when the e-mail has an account; a concurrent registration of it is waited for. */
export async function insertAccount(
  tx: Transaction,
  account: Account & { readonly passwordHash: string },
): Promise<boolean> {
  const rows = await tx.query(statement, [
    account.accountId,
    account.email,
    account.passwordHash,
    new Date(account.createdAt),
  ]);
  return rows.length === 1;
}

const statement = {
  name: 'auth.insert_account',
  text: `insert into auth.account (account_id, email, password_hash, password_changed_at, created_at)
values ($1, $2, $3, $4, $4)
on conflict (email) do nothing
returning account_id`,
};
