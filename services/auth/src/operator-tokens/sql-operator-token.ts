import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';

/** Times are epoch milliseconds, by real time. */
export interface OperatorToken {
  readonly name: string;
  /** Undefined: the token of the settings. */
  readonly createdAt: number | undefined;
  readonly expiresAt: number | undefined;
  readonly revokedAt: number | undefined;
}

export interface NewOperatorToken {
  readonly name: string;
  readonly tokenHash: Uint8Array;
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
}

interface Row {
  readonly name: string;
  readonly created_at: Date | null;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
}

const lock = 'lock table auth.operator_token in share row exclusive mode';

/** Two changes of tokens wait for each other: names and their number are decided by what is read. Readers go on. */
export async function lockOperatorTokens(tx: Transaction): Promise<void> {
  await tx.query(lock);
}

const find = {
  name: 'auth.find_operator_token',
  text: 'select name, created_at, expires_at, revoked_at from auth.operator_token where name = $1',
};

export async function findOperatorToken(db: Queryable, name: string): Promise<OperatorToken | undefined> {
  const [row] = await db.query<Row>(find, [name]);
  return row && fromRow(row);
}

const put = {
  name: 'auth.put_operator_token',
  text: `insert into auth.operator_token (name, token_hash, created_at, expires_at, revoked_at)
values ($1, $2, $3, $4, null)
on conflict (name) do update set token_hash = excluded.token_hash, created_at = excluded.created_at,
  expires_at = excluded.expires_at, revoked_at = null`,
};

/** Writes a token, in place of an earlier one of the name. A trigger announces each change to all services. */
export async function putOperatorToken(tx: Transaction, token: NewOperatorToken): Promise<void> {
  const { name, tokenHash, createdAt, expiresAt } = token;
  await tx.query(put, [name, tokenHash, new Date(createdAt), expiresAt === undefined ? null : new Date(expiresAt)]);
}

const revoke = {
  name: 'auth.revoke_operator_token',
  text: 'update auth.operator_token set revoked_at = $2 where name = $1',
};

export async function revokeOperatorToken(tx: Transaction, name: string, revokedAt: number): Promise<void> {
  await tx.query(revoke, [name, new Date(revokedAt)]);
}

const count = 'select count(*)::int as tokens from auth.operator_token';

export async function countOperatorTokens(tx: Transaction): Promise<number> {
  return onlyRow(await tx.query<{ tokens: number }>(count)).tokens;
}

const forget = {
  name: 'auth.forget_operator_token',
  text: `delete from auth.operator_token where name = (
  select name from auth.operator_token
  where name <> 'default' and least(revoked_at, expires_at) <= $1
  order by least(revoked_at, expires_at), name limit 1
) returning name`,
};

/** Deletes the token that has been refused for longest. Never `default`, whose row keeps OPERATOR_TOKEN from counting. */
export async function forgetDeadOperatorToken(tx: Transaction, nowMs: number): Promise<boolean> {
  return (await tx.query(forget, [new Date(nowMs)])).length === 1;
}

export interface OperatorTokenQuery {
  /** Whether the settings have a token. It is listed as `default` until `default` has a row. */
  readonly isConfigured: boolean;
  /** The last name of the page before. */
  readonly after: string | undefined;
  readonly limit: number;
}

const list = {
  name: 'auth.list_operator_tokens',
  text: `with listed as (
  select name, created_at, expires_at, revoked_at from auth.operator_token
  union all
  select 'default', null, null, null
  where $1 and not exists (select from auth.operator_token where name = 'default')
)
select l.*, t.total from (select count(*)::int as total from listed) t
left join (select * from listed where name > $2 collate "C" order by name collate "C" limit $3) l on true
order by name collate "C"`,
};

/** A page by name, and how many there are in all. */
export async function listOperatorTokens(
  db: Queryable,
  { isConfigured, after = '', limit }: OperatorTokenQuery,
): Promise<{ readonly tokens: OperatorToken[]; readonly total: number }> {
  const rows = await db.query<{ [Key in keyof Row]: Row[Key] | null } & { total: number }>(list, [
    isConfigured,
    after,
    limit,
  ]);
  const tokens = rows.flatMap(({ name, ...row }) => (name === null ? [] : [fromRow({ ...row, name })]));
  return { tokens, total: rows[0]?.total ?? 0 };
}

function fromRow({ name, created_at, expires_at, revoked_at }: Row): OperatorToken {
  return {
    name,
    createdAt: created_at?.getTime(),
    expiresAt: expires_at?.getTime(),
    revokedAt: revoked_at?.getTime(),
  };
}
