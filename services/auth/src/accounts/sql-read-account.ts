import type { Queryable } from '@tollgate/database/database';
import type { Account } from '../ports.ts';

interface AccountRow {
  account_id: string;
  email: string;
  password_hash: string;
  created_at: Date;
}

export async function readAccount(
  db: Queryable,
  accountId: string,
): Promise<(Account & { passwordHash: string }) | undefined> {
  const [row] = await db.query<AccountRow>(statement, [accountId]);
  return (
    row && {
      accountId: row.account_id,
      email: row.email,
      passwordHash: row.password_hash,
      createdAt: row.created_at.getTime(),
    }
  );
}

const statement = {
  name: 'auth.read_account',
  text: 'select account_id, email, password_hash, created_at from auth.account where account_id = $1',
};
