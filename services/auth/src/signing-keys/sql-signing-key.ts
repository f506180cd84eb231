import type { Queryable, Transaction } from '@tollgate/database/database';
import type { KeyUse, StoredSigningKey } from './signing-key.ts';

interface SigningKeyRow {
  key_id: string;
  public_jwk: Record<string, unknown>;
  private_sealed: Buffer | null;
  created_at: Date;
}

const readAll = {
  name: 'auth.read_signing_keys',
  text: `select key_id, public_jwk, private_sealed, created_at from auth.signing_key
where key_use = $1 order by created_at desc, key_id`,
};

/** All keys of the use that verify, newest first. The key with a private half signs. */
export async function readSigningKeys(db: Queryable, use: KeyUse): Promise<StoredSigningKey[]> {
  const rows = await db.query<SigningKeyRow>(readAll, [use]);
  return rows.map((row) => ({
    keyId: row.key_id,
    publicJwk: row.public_jwk,
    privateSealed: row.private_sealed ?? undefined,
    createdAt: row.created_at.getTime(),
  }));
}

const insert = {
  name: 'auth.insert_signing_key',
  text: `insert into auth.signing_key (key_id, public_jwk, private_sealed, created_at, key_use)
values ($1, $2, $3, $4, $5)
on conflict do nothing
returning key_id`,
};

/** False when another key signs: the unique index one_key_signs admits one, also when two processes start at once. */
export async function insertSigningKey(tx: Transaction, use: KeyUse, key: StoredSigningKey): Promise<boolean> {
  const values = [key.keyId, JSON.stringify(key.publicJwk), key.privateSealed, new Date(key.createdAt), use];
  return (await tx.query(insert, values)).length === 1;
}

const retire = {
  name: 'auth.retire_signing_key',
  text: `update auth.signing_key set retired_at = $2, private_sealed = null
where key_id = $1 and retired_at is null
returning key_id`,
};

/** Erases the private half for good. False when another process has retired the key already. */
export async function retireSigningKey(tx: Transaction, keyId: string, retiredAt: number): Promise<boolean> {
  return (await tx.query(retire, [keyId, new Date(retiredAt)])).length === 1;
}

const deleteRetired = {
  name: 'auth.delete_retired_signing_keys',
  text: 'delete from auth.signing_key where key_use = $1 and retired_at is not null',
};

/** All services refuse the tokens of these keys within a second. */
export async function deleteRetiredSigningKeys(worker: Queryable, use: KeyUse): Promise<void> {
  await worker.query(deleteRetired, [use]);
}
