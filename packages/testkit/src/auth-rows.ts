import { randomUUID } from 'node:crypto';
import type { KeyScope } from '@tollgate/contracts/routes/route';
import type { Queryable } from '@tollgate/database/database';
import { createApiKey, hashApiKey, partsOfApiKey } from '@tollgate/runtime/auth/api-key-format';
import type { RealKey } from './forged-tokens.ts';

interface KeyLimits {
  readonly can?: readonly KeyScope[];
  readonly expiresAt?: Date;
}

/** Writes the rows that the auth service would write, for tests of code that reads them. */
export interface AuthRows {
  /** Returns the id of a new account. Its password is no hash, so nobody can sign in with it. */
  createAccount(): Promise<string>;
  createKey(accountId: string, limits?: KeyLimits): Promise<{ readonly key: string; readonly id: string }>;
  revokeKey(id: string): Promise<void>;
  createSession(accountId: string): Promise<string>;
  endSession(id: string): Promise<void>;
  /** Makes the account with this id, if there is none. */
  putAccount(accountId: string): Promise<void>;
  /** Makes the account first, if there is none. */
  suspend(accountId: string): Promise<void>;
  resume(accountId: string): Promise<void>;
  /** Tokens of the use that this key signs are good from now on. Default: of sessions. */
  publishKey(key: RealKey, use?: 'session' | 'oauth'): Promise<void>;
}

const then = new Date(0);

export function createAuthRows(owner: Queryable): AuthRows {
  const insert = (table: string, row: Readonly<Record<string, unknown>>) => {
    const places = Object.keys(row).map((_, index) => `$${index + 1}`);
    const text = `insert into auth.${table} (${Object.keys(row).join()}) values (${places.join()})`;
    return owner.query(text, Object.values(row));
  };
  async function putAccount(accountId: string): Promise<void> {
    await owner.query(
      `insert into auth.account (account_id, email, password_hash, password_changed_at, created_at)
       values ($1::uuid, $1::uuid::text || '@example.com', 'none', $2, $2) on conflict do nothing`,
      [accountId, then],
    );
  }

  return {
    putAccount,
    async createAccount() {
      const account_id = randomUUID();
      const account = { account_id, email: `${account_id}@example.com`, password_hash: 'none' };
      await insert('account', { ...account, password_changed_at: then, created_at: then });
      return account_id;
    },
    async suspend(accountId) {
      await putAccount(accountId);
      await owner.query(
        `insert into auth.account_suspension (account_id, reason, suspended_at) values ($1, 'a test', $2)
         on conflict (account_id) do update set resumed_at = null`,
        [accountId, then],
      );
    },
    async resume(accountId) {
      await owner.query('update auth.account_suspension set resumed_at = $2 where account_id = $1', [accountId, then]);
    },
    async createKey(account_id, { can = null, expiresAt = null } = {}) {
      const [key, key_id] = [createApiKey(), randomUUID()];
      const { prefix, lastFour: last_four } = partsOfApiKey(key);
      const shown = { name: 'test', prefix, last_four, can, expires_at: expiresAt };
      await insert('api_key', { key_id, account_id, key_hash: hashApiKey(key), ...shown, created_at: then });
      return { key, id: key_id };
    },
    async revokeKey(id) {
      await owner.query('update auth.api_key set revoked_at = $2 where key_id = $1', [id, then]);
    },
    async createSession(account_id) {
      const [session_id, token_id] = [randomUUID(), randomUUID()];
      const times = { token_expires_at: then, created_at: then, refreshed_at: then };
      await insert('session', { session_id, account_id, token_id, ...times });
      return session_id;
    },
    async endSession(id) {
      const end = "update auth.session set ended_at = $2, ended_because = 'logout' where session_id = $1";
      await owner.query(end, [id, then]);
    },
    async publishKey({ keyId: key_id, publicKey }, key_use = 'session') {
      const public_jwk = JSON.stringify(publicKey.export({ format: 'jwk' }));
      await insert('signing_key', { key_id, key_use, public_jwk, created_at: then, retired_at: then });
    },
  };
}
