import type { KeyScope } from '@tollgate/contracts/routes/route';
import { onlyRow, type Transaction } from '@tollgate/database/database';

export interface ApiKey {
  readonly keyId: string;
  readonly name: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly createdAt: number;
  /** The scopes that it opens; undefined for all. */
  readonly can: readonly KeyScope[] | undefined;
  readonly expiresAt: number | undefined;
  readonly lastUsedAt: number | undefined;
}

export interface NewApiKey extends Omit<ApiKey, 'lastUsedAt'> {
  readonly accountId: string;
  readonly keyHash: Uint8Array;
}

const countLive = {
  name: 'auth.count_live_api_keys',
  text: `select count(*)::int as live from auth.api_key
where account_id = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`,
};

export async function countLiveApiKeys(tx: Transaction, accountId: string, nowMs: number): Promise<number> {
  return onlyRow(await tx.query<{ live: number }>(countLive, [accountId, new Date(nowMs)])).live;
}

const insert = {
  name: 'auth.insert_api_key',
  text: `insert into auth.api_key (key_id, account_id, name, key_hash, prefix, last_four, created_at, can, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8::text[], $9)`,
};

export async function insertApiKey(tx: Transaction, key: NewApiKey): Promise<void> {
  const { keyId, accountId, name, keyHash, prefix, lastFour, createdAt, can, expiresAt } = key;
  const limits = [can ?? null, expiresAt === undefined ? null : new Date(expiresAt)];
  await tx.query(insert, [keyId, accountId, name, keyHash, prefix, lastFour, new Date(createdAt), ...limits]);
}

interface ApiKeyRow {
  key_id: string;
  name: string;
  prefix: string;
  last_four: string;
  created_at: Date;
  can: KeyScope[] | null;
  expires_at: Date | null;
  last_used_at: Date | null;
}

export interface ApiKeyQuery {
  readonly accountId: string;
  readonly limit: number;
  /** Keys that have expired by now are left out. */
  readonly nowMs: number;
  /** The last key of the page before; undefined for the first page. */
  readonly after: { readonly createdAt: number; readonly keyId: string } | undefined;
}

const list = {
  name: 'auth.list_api_keys',
  text: `select key_id, name, prefix, last_four, created_at, can, expires_at, last_used_at
from auth.api_key
where account_id = $1 and revoked_at is null and (expires_at is null or expires_at > $5)
  and ($2::timestamptz is null or (created_at, key_id) < ($2, $3::uuid))
order by created_at desc, key_id desc
limit $4`,
};

/** Live keys after the cursor, newest first. */
export async function listApiKeys(tx: Transaction, { accountId, after, limit, nowMs }: ApiKeyQuery): Promise<ApiKey[]> {
  const values = [
    accountId,
    after === undefined ? null : new Date(after.createdAt),
    after?.keyId ?? null,
    limit,
    new Date(nowMs),
  ];
  return (await tx.query<ApiKeyRow>(list, values)).map(fromApiKeyRow);
}

function fromApiKeyRow(row: ApiKeyRow): ApiKey {
  return {
    keyId: row.key_id,
    name: row.name,
    prefix: row.prefix,
    lastFour: row.last_four,
    createdAt: row.created_at.getTime(),
    can: row.can ?? undefined,
    expiresAt: row.expires_at?.getTime(),
    lastUsedAt: row.last_used_at?.getTime(),
  };
}

export interface Revocation {
  readonly accountId: string;
  readonly keyId: string;
  readonly revokedAt: number;
}

const revoke = {
  name: 'auth.revoke_api_key',
  text: `update auth.api_key set revoked_at = $3
where key_id = $1 and account_id = $2 and revoked_at is null
returning key_id`,
};

/**
 * False for a key that is unknown, another account's, or revoked already. The row stays, so that services which poll see
 * the revocation. A trigger announces it to all services.
 */
export async function revokeApiKey(tx: Transaction, { keyId, accountId, revokedAt }: Revocation): Promise<boolean> {
  return (await tx.query(revoke, [keyId, accountId, new Date(revokedAt)])).length === 1;
}
