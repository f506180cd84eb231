import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable } from '@tollgate/database/database';
import type { ListPage, PageQuery } from '../catalogue/catalogue.ts';

export interface Account {
  readonly accountId: string;
  readonly email: string;
  readonly createdAtMs: number;
  /** Undefined unless the operator has cut the account off. */
  readonly suspension: { readonly reason: string; readonly suspendedAtMs: number } | undefined;
}

export interface AccountListQuery extends PageQuery {
  readonly email: string | undefined;
}

interface Row {
  readonly account_id: string;
  readonly email: string;
  readonly created_at: Date;
  readonly reason: string | null;
  readonly suspended_at: Date | null;
}

const select = `select a.account_id, a.email, a.created_at, s.reason, s.suspended_at from auth.account_directory_v1 a
  left join auth.account_suspension_v1 s on s.account_id = a.account_id and s.resumed_at is null`;

const listText = `${select}
  where ($1::text is null or email = $1) and ($2::timestamptz is null or (a.created_at, a.account_id) < ($2, $3::uuid))
  order by a.created_at desc, a.account_id desc limit $4`;

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

const findText = `${select} where a.account_id = $1`;

export async function findAccount(db: Queryable, accountId: string): Promise<Account | undefined> {
  const [row] = await db.query<Row>({ name: 'billing.find_account', text: findText }, [accountId]);
  return row && fromRow(row);
}

function fromRow({ account_id, email, created_at, reason, suspended_at }: Row): Account {
  const suspension =
    reason === null || suspended_at === null ? undefined : { reason, suspendedAtMs: suspended_at.getTime() };
  return { accountId: account_id, email, createdAtMs: created_at.getTime(), suspension };
}
