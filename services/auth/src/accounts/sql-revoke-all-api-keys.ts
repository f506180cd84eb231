import type { Transaction } from '@tollgate/database/database';

const revokeAll = {
  name: 'auth.revoke_all_api_keys',
  text: `update auth.api_key set revoked_at = $2 where account_id = $1 and revoked_at is null
returning key_id`,
};

/** Revokes all live keys of the account, and returns how many. */
export async function revokeAllApiKeys(tx: Transaction, accountId: string, revokedAt: number): Promise<number> {
  return (await tx.query(revokeAll, [accountId, new Date(revokedAt)])).length;
}
