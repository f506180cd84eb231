import type { Queryable, Transaction } from '@tollgate/database/database';

export interface Account {
  readonly accountId: string;
  readonly email: string;
  readonly createdAt: number;
  readonly isEmailVerified: boolean;
  /** Undefined: the address takes mail, as far as is known. */
  readonly emailBouncedAt: number | undefined;
  /** Undefined: it has none. */
  readonly publicName: string | undefined;
}

export interface AccountWithHash extends Account {
  readonly passwordHash: string;
}

/** An account as it sees itself. */
export interface OwnAccount extends AccountWithHash {
  readonly isOperator: boolean;
}

const findByEmail = {
  name: 'auth.find_account_by_email',
  text: 'select account_id, password_hash from auth.account where email = $1 and closed_at is null',
};

/** Needs auth_worker: nobody is signed in yet, so row-level policies would hide the account. A closed account is none. */
export async function findAccountByEmail(
  worker: Queryable,
  email: string,
): Promise<{ readonly accountId: string; readonly passwordHash: string } | undefined> {
  const [row] = await worker.query<{ account_id: string; password_hash: string }>(findByEmail, [email]);
  return row && { accountId: row.account_id, passwordHash: row.password_hash };
}

interface AccountRow {
  account_id: string;
  email: string;
  password_hash: string;
  is_operator: boolean;
  created_at: Date;
  email_verified_at: Date | null;
  email_bounced_at: Date | null;
  public_name: string | null;
}

const read = {
  name: 'auth.read_account',
  text: `select account_id, email, password_hash, operator_since is not null as is_operator, created_at, email_verified_at,
  email_bounced_at, public_name
from auth.account where account_id = $1 and closed_at is null`,
};

/** Undefined for an account that is closed. */
export async function readAccount(tx: Transaction, accountId: string): Promise<OwnAccount | undefined> {
  const [row] = await tx.query<AccountRow>(read, [accountId]);
  return (
    row && {
      accountId: row.account_id,
      email: row.email,
      passwordHash: row.password_hash,
      isOperator: row.is_operator,
      createdAt: row.created_at.getTime(),
      isEmailVerified: row.email_verified_at !== null,
      emailBouncedAt: row.email_bounced_at?.getTime(),
      publicName: row.public_name ?? undefined,
    }
  );
}

export type NewAccount = Pick<AccountWithHash, 'accountId' | 'email' | 'passwordHash' | 'createdAt'>;

const insert = {
  name: 'auth.insert_account',
  text: `insert into auth.account (account_id, email, password_hash, password_changed_at, created_at)
values ($1, $2, $3, $4, $4)
on conflict (email) do nothing
returning account_id`,
};

/** False when the e-mail has an account. Waits for a concurrent registration of the same e-mail. */
export async function insertAccount(tx: Transaction, account: NewAccount): Promise<boolean> {
  const values = [account.accountId, account.email, account.passwordHash, new Date(account.createdAt)];
  return (await tx.query(insert, values)).length === 1;
}

const lock = {
  name: 'auth.lock_account',
  text: 'select account_id from auth.account where account_id = $1 for no key update',
};

/**
 * A transaction that counts rows of an account takes this lock first. Inserts that refer to the account by a foreign
 * key do not wait for it.
 */
export async function lockAccount(tx: Transaction, accountId: string): Promise<void> {
  await tx.query(lock, [accountId]);
}

const putName = {
  name: 'auth.put_public_name',
  text: `update auth.account set public_name = $2, public_name_key = $3 where account_id = $1`,
};

export interface PublicName {
  readonly name: string;
  /** The same for all names that look alike. */
  readonly key: string;
}

/** Undefined removes the name. Throws a unique violation if another account has a name that looks like it. */
export async function putPublicName(tx: Transaction, accountId: string, named: PublicName | undefined): Promise<void> {
  await tx.query(putName, [accountId, named?.name ?? null, named?.key ?? null]);
}

const hasHash = {
  name: 'auth.has_password_hash',
  text: 'select from auth.account where account_id = $1 and password_hash = $2',
};

/** Under the lock of `lockAccount` the answer stays true until the transaction ends. */
export async function hasPasswordHash(tx: Transaction, accountId: string, passwordHash: string): Promise<boolean> {
  return (await tx.query(hasHash, [accountId, passwordHash])).length === 1;
}

export interface NewHash {
  readonly accountId: string;
  readonly passwordHash: string;
  readonly changedAt: number;
  /** The hash that the current password was checked against; undefined when the operator sets the password. */
  readonly expectedHash: string | undefined;
}

const update = {
  name: 'auth.update_password',
  text: `update auth.account set password_hash = $2, password_changed_at = $3
where account_id = $1 and closed_at is null and ($4::text is null or password_hash = $4)
returning account_id`,
};

/**
 * False when the stored hash is no longer the expected hash. Comes first in its transaction: a sign-in waits for the
 * row lock.
 */
export async function updatePassword(tx: Transaction, change: NewHash): Promise<boolean> {
  const values = [change.accountId, change.passwordHash, new Date(change.changedAt), change.expectedHash ?? null];
  return (await tx.query(update, values)).length === 1;
}
