import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable } from '@tollgate/database/database';
import type { ListPage, PageQuery } from '../catalogue/catalogue.ts';

export interface Account {
  readonly accountId: string;
  readonly email: string;
  readonly createdAtMs: number;
  readonly isEmailVerified: boolean;
  readonly emailBouncedAtMs: number | undefined;
  readonly publicName: string | null;
  /** Undefined unless the operator has cut the account off. */
  readonly suspension: { readonly reason: string; readonly suspendedAtMs: number } | undefined;
}

export interface AccountListQuery extends PageQuery {
  readonly email?: string | undefined;
  readonly status?: 'active' | 'suspended' | undefined;
}

interface Row {
  readonly account_id: string;
  readonly email: string;
  readonly created_at: Date;
  readonly email_verified_at: Date | null;
  readonly email_bounced_at: Date | null;
  readonly public_name: string | null;
  readonly reason: string | null;
  readonly suspended_at: Date | null;
}

const columns =
  'a.account_id, a.email, a.created_at, a.email_verified_at, a.email_bounced_at, a.public_name, s.reason, s.suspended_at';
const accounts = `from auth.account_directory_v1 a
  left join auth.account_suspension_v1 s on s.account_id = a.account_id and s.resumed_at is null`;
const filter = `($1::text is null or a.email = $1)
  and ($2::text is null or (s.account_id is not null) = ($2 = 'suspended'))`;

// The two lists are without a name, so that each call is planned for the filters that it has.
const listText = `select ${columns} ${accounts}
  where ${filter} and ($3::timestamptz is null or (a.created_at, a.account_id) < ($3, $4::uuid))
  order by a.created_at desc, a.account_id desc limit $5`;

const countText = `select count(*)::int as total ${accounts} where ${filter}`;

/**
 * Lists all accounts, newest first by (created_at, id), from the directory that auth publishes. Only the worker role
 * may read it.
 */
export async function listAccounts(db: Queryable, query: AccountListQuery): Promise<ListPage<Account>> {
  const { email = null, status = null, after, limit } = query;
  const values = [email, status, after ? toIso(after.createdAtMs) : null, after?.id ?? null, limit + 1];
  const [rows, counted] = await Promise.all([
    db.query<Row>(listText, values),
    db.query<{ total: number }>(countText, [email, status]),
  ]);
  return { rows: rows.map(fromRow), total: onlyRow(counted).total };
}

const findText = `select ${columns} ${accounts} where a.account_id = $1`;

export async function findAccount(db: Queryable, accountId: string): Promise<Account | undefined> {
  const [row] = await db.query<Row>({ name: 'billing.find_account', text: findText }, [accountId]);
  return row && fromRow(row);
}

function fromRow(row: Row): Account {
  const { account_id, email, created_at, email_verified_at, email_bounced_at, public_name, reason, suspended_at } = row;
  const suspension =
    reason === null || suspended_at === null ? undefined : { reason, suspendedAtMs: suspended_at.getTime() };
  const known = {
    isEmailVerified: email_verified_at !== null,
    emailBouncedAtMs: email_bounced_at?.getTime(),
    publicName: public_name,
  };
  return { accountId: account_id, email, createdAtMs: created_at.getTime(), ...known, suspension };
}
