import type { Transaction } from '@tollgate/database/database';
import type { StoredSigningKey } from '../ports.ts';

/** False when another key signs: the unique index one_key_signs lets one in, also when two processes start at once. */
export async function insertSigningKey(tx: Transaction, key: StoredSigningKey): Promise<boolean> {
  const values = [key.keyId, JSON.stringify(key.publicJwk), key.privateSealed, new Date(key.createdAt)];
  return (await tx.query(statement, values)).length === 1;
}

const statement = {
  name: 'auth.insert_signing_key',
  text: `insert into auth.signing_key (key_id, public_jwk, private_sealed, created_at)
values ($1, $2, $3, $4)
on conflict do nothing
returning key_id`,
};
