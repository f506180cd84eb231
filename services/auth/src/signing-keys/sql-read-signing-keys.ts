import type { Queryable } from '@tollgate/database/database';
import type { StoredSigningKey } from '../ports.ts';

interface SigningKeyRow {
  key_id: string;
  public_jwk: Record<string, unknown>;
  private_sealed: Buffer | null;
  created_at: Date;
}

/** All keys that verify, newest first; the one with a private half signs. */
export async function readSigningKeys(db: Queryable): Promise<StoredSigningKey[]> {
  const rows = await db.query<SigningKeyRow>(statement);
  return rows.map((row) => ({
    keyId: row.key_id,
    publicJwk: row.public_jwk,
    privateSealed: row.private_sealed ?? undefined,
    createdAt: row.created_at.getTime(),
  }));
}

const statement = {
  name: 'auth.read_signing_keys',
  text: 'select key_id, public_jwk, private_sealed, created_at from auth.signing_key order by created_at desc, key_id',
};
