import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable } from '@tollgate/database/database';
import type { ListPage, PageQuery } from '../catalogue/catalogue.ts';

export interface Account {
  readonly accountId: string;
  readonly email: string;
  readonly createdAtMs: number;
}

export interface AccountListQuery extends PageQuery {
  readonly email: string | undefined;
}

interface Row {
  readonly account_id: string;
  readonly email: string;
  readonly created_at: Date;
}

const listText = `select account_id, email, created_at from auth.account_directory_v1
  where ($1::text is null or email = $1) and ($2::timestamptz is null or (created_at, account_id) < ($2, $3::uuid))
  order by created_at desc, account_id desc limit $4`;

const countText = `select count(*)::int as total from auth.account_directory_v1 where ($1::text is null or email = $1)`;

/**
 * Lists all accounts, newest first by (created_at, id), from the directory that auth publishes. Only the worker role
 * may read it.
 */
export async function listAccounts(db: Queryable, query: AccountListQuery): Promise<ListPage<Account>> {
  const { email = null, after, limit } = query;
  const values = [email, after ? toIso(after.createdAtMs) : null, after?.id ?? null, limit + 1];
  const [rows, counted] = await Promise.all([
    db.query<Row>({ name: 'billing.list_accounts', text: listText }, values),
    db.query<{ total: number }>({ name: 'billing.count_accounts', text: countText }, [email]),
  ]);
  return { rows: rows.map(fromRow), total: onlyRow(counted).total };
}

const findText = `select account_id, email, created_at from auth.account_directory_v1 where account_id = $1`;

export async function findAccount(db: Queryable, accountId: string): Promise<Account | undefined> {
  const [row] = await db.query<Row>({ name: 'billing.find_account', text: findText }, [accountId]);
  return row && fromRow(row);
}

function fromRow({ account_id, email, created_at }: Row): Account {
  return { accountId: account_id, email, createdAtMs: created_at.getTime() };
}
