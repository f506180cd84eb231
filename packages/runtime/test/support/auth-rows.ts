import { uuidV7 } from '@tollgate/kernel/uuid';
import type { RealKey } from '@tollgate/testkit/forged-tokens';
import type { Queryable } from '@tollgate/database/database';
import { createApiKey, hashApiKey } from '../../src/auth/api-key-format.ts';

/** Writes the rows that the auth service would write, for tests of the code that reads them. */
export interface AuthRows {
  createAccount(): Promise<void>;
  publishKey(key: RealKey): Promise<void>;
  createKey(): Promise<{ readonly key: string; readonly id: string }>;
  revokeKey(id: string): Promise<void>;
  createSession(): Promise<string>;
  endSession(id: string): Promise<void>;
}

const then = new Date(0);

export function createAuthRows(owner: Queryable, account: string): AuthRows {
  return {
    async createAccount() {
      await owner.query(
        "insert into auth.account (account_id, email, password_hash, password_changed_at, created_at) values ($1, 'a@b.test', 'x', $2, $2)",
        [account, then],
      );
    },
    async publishKey({ keyId, publicKey }) {
      await owner.query(
        'insert into auth.signing_key (key_id, public_jwk, created_at, retired_at) values ($1, $2, $3, $3)',
        [keyId, JSON.stringify(publicKey.export({ format: 'jwk' })), then],
      );
    },
    async createKey() {
      const [key, id] = [createApiKey(), uuidV7(0)];
      await owner.query(
        "insert into auth.api_key (key_id, account_id, name, key_hash, prefix, last_four, created_at) values ($1, $2, 'k', $3, 'tg_live_', 'abcd', $4)",
        [id, account, hashApiKey(key), then],
      );
      return { key, id };
    },
    async revokeKey(id) {
      await owner.query('update auth.api_key set revoked_at = $2 where key_id = $1', [id, then]);
    },
    async createSession() {
      const session = uuidV7(0);
      await owner.query(
        'insert into auth.session (session_id, account_id, token_id, token_expires_at, created_at, refreshed_at) values ($1, $2, $3, $4, $4, $4)',
        [session, account, uuidV7(0), then],
      );
      return session;
    },
    async endSession(id) {
      await owner.query("update auth.session set ended_at = $2, ended_because = 'logout' where session_id = $1", [
        id,
        then,
      ]);
    },
  };
}
