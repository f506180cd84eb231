import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable } from '@tollgate/database/database';
import type { AccountListQuery } from './account-directory.ts';

export interface AccountRow {
  readonly account_id: string;
  readonly email: string;
  readonly created_at: Date;
}

const listText = `select account_id, email, created_at from auth.account_directory_v1
  where ($1::text is null or email = $1) and ($2::timestamptz is null or (created_at, account_id) < ($2, $3::uuid))
  order by created_at desc, account_id desc limit $4`;
const countText = `select count(*)::int as total from auth.account_directory_v1 where ($1::text is null or email = $1)`;

/** One row more than asked for if there are more. */
export function listAccounts(db: Queryable, { email, after, limit }: AccountListQuery): Promise<AccountRow[]> {
  const values = [email ?? null, after ? toIso(after.createdAtMs) : null, after?.id ?? null, limit + 1];
  return db.query<AccountRow>({ name: 'list-accounts', text: listText }, values);
}

export async function countAccounts(db: Queryable, email: string | undefined): Promise<number> {
  return onlyRow(await db.query<{ total: number }>({ name: 'count-accounts', text: countText }, [email ?? null])).total;
}

const findText = `select account_id, email, created_at from auth.account_directory_v1 where account_id = $1`;

export async function findAccount(db: Queryable, accountId: string): Promise<AccountRow | undefined> {
  const [row] = await db.query<AccountRow>({ name: 'find-account', text: findText }, [accountId]);
  return row;
}
