import { createPublicKey } from 'node:crypto';
import type { RealKey } from '@tollgate/testkit/forged-tokens';
import { openSigningKey } from '../../src/signing-keys/signing-key.ts';
import { createSealedBox } from '@tollgate/kernel/sealed-box';
import type { AuthUnderTest } from './auth-under-test.ts';

/** The key that the service signs tokens of this use with, as someone has it who may read its database and its secret. */
export async function readRealKey({ owner, config }: AuthUnderTest, use = 'session'): Promise<RealKey> {
  const [row] = await owner.query<{ key_id: string; private_sealed: Buffer }>(
    'select key_id, private_sealed from auth.signing_key where retired_at is null and key_use = $1',
    [use],
  );
  if (row === undefined) throw new Error('no signing key');
  const box = createSealedBox({ secret: config.AUTH_KEY_ENCRYPTION_SECRET, purpose: 'signing-key' });
  const stored = { keyId: row.key_id, publicJwk: {}, privateSealed: row.private_sealed, createdAt: 0 };
  const { privateKey } = openSigningKey(box, stored);
  return { keyId: row.key_id, privateKey, publicKey: createPublicKey(privateKey) };
}
