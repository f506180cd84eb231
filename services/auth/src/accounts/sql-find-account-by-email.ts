import type { Queryable } from '@tollgate/database/database';

/** Nobody is signed in yet, so this runs as the worker, past the row-level policies. */
export async function findAccountByEmail(
  db: Queryable,
  email: string,
): Promise<{ accountId: string; passwordHash: string } | undefined> {
  const [row] = await db.query<{ account_id: string; password_hash: string }>(statement, [email]);
  return row && { accountId: row.account_id, passwordHash: row.password_hash };
}

const statement = {
  name: 'auth.find_account_by_email',
  text: 'select account_id, password_hash from auth.account where email = $1',
};
