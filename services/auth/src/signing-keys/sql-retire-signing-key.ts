import type { Transaction } from '@tollgate/database/database';

/** Erases the private half for good. False when another process has retired it already. */
export async function retireSigningKey(tx: Transaction, keyId: string, retiredAt: number): Promise<boolean> {
  return (await tx.query(statement, [keyId, new Date(retiredAt)])).length === 1;
}

const statement = {
  name: 'auth.retire_signing_key',
  text: `update auth.signing_key set retired_at = $2, private_sealed = null
where key_id = $1 and retired_at is null
returning key_id`,
};
