import type { Queryable } from '@tollgate/database/database';

/** False when there is no such live key. The row stays, revoked, so that pollers see the change; a trigger announces it. */
export async function revokeApiKey(
  db: Queryable,
  key: { accountId: string; keyId: string; revokedAt: number },
): Promise<boolean> {
  return (await db.query(statement, [key.keyId, key.accountId, new Date(key.revokedAt)])).length === 1;
}

const statement = {
  name: 'auth.revoke_api_key',
  text: `update auth.api_key set revoked_at = $3
where key_id = $1 and account_id = $2 and revoked_at is null
returning key_id`,
};
