import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '@tollgate/database/database';
import { authSuite } from '../support/auth-under-test.ts';

const stranger = '01900000-0000-7000-8000-000000000000';
const auth = authSuite();
let api: Database;
let accountId: string;

beforeAll(async () => {
  api = auth.connectAs('auth_api');
  const { token } = await auth.signUp();
  accountId = (await auth.me(token)).body.account_id;
  const headers = { 'idempotency-key': 'k' };
  await auth.send('POST', '/v1/api-keys', { token, body: { name: 'k' }, headers });
  await auth.refresh(token);
});

const count = async (db: Pick<Database, 'query'>, table: string) =>
  (await db.query<{ n: number }>(`select count(*)::int as n from auth.${table}`))[0]?.n;

describe('auth_api', () => {
  it.each(['account', 'session', 'token_rotation', 'api_key', 'idempotency_reply'])(
    'O5 sees no row of %s without an account, nor as another account',
    async (table) => {
      expect(await count(auth.owner, table)).toBeGreaterThan(0);
      expect(await count(api, table)).toBe(0);
      expect(await api.transaction((tx) => count(tx, table), { accountId: stranger })).toBe(0);
      expect(await api.transaction((tx) => count(tx, table), { accountId })).toBeGreaterThan(0);
    },
  );

  it.each(['signing_key', 'api_key_directory_v1', 'ended_session_v1', 'account_directory_v1'])(
    'may not read %s',
    async (table) => {
      await expect(count(api, table)).rejects.toThrow(/permission denied/);
    },
  );

  it('may not move a row to another account', async () => {
    const steal = `update auth.session set account_id = '${stranger}'`;
    await expect(api.transaction((tx) => tx.query(steal), { accountId })).rejects.toThrow(/row-level security/);
  });
});
