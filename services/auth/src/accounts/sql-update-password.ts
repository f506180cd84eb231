import type { Transaction } from '@tollgate/database/database';
import type { PasswordChange } from '../ports.ts';

/** Its row lock comes first in the transaction: a sign-in with the old password is then either over or refused. */
export async function updatePassword(tx: Transaction, change: PasswordChange): Promise<boolean> {
  const values = [change.accountId, change.passwordHash, new Date(change.changedAt), change.expectedHash ?? null];
  return (await tx.query(statement, values)).length === 1;
}

const statement = {
  name: 'auth.update_password',
  text: `update auth.account set password_hash = $2, password_changed_at = $3
where account_id = $1 and ($4::text is null or password_hash = $4)
returning account_id`,
};
