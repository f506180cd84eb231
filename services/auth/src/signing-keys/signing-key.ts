import { createPrivateKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair } from 'jose';
import type { SealedBox } from '@tollgate/kernel/sealed-box';

export const signingAlgorithm = 'ES256';

/** The tokens that a key signs: those of sessions, or those that clients get by OAuth. */
export type KeyUse = 'session' | 'oauth';

export interface SigningKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
  readonly createdAt: number;
}

export interface StoredSigningKey {
  readonly keyId: string;
  readonly publicJwk: Readonly<Record<string, unknown>>;
  /** Undefined once the key is retired: it still verifies, and never signs again. */
  readonly privateSealed: Uint8Array | undefined;
  readonly createdAt: number;
}

/** Generates an ES256 pair. Its id is the thumbprint of the public half (RFC 7638), so two keys never share an id. */
export async function generateSigningKey(box: SealedBox, nowMs: number): Promise<StoredSigningKey> {
  const pair = await generateKeyPair(signingAlgorithm, { extractable: true });
  const jwk = await exportJWK(pair.publicKey);
  const keyId = await calculateJwkThumbprint(jwk);
  return {
    keyId,
    publicJwk: { ...jwk, kid: keyId, alg: signingAlgorithm, use: 'sig' },
    privateSealed: box.seal(await exportPKCS8(pair.privateKey), keyId),
    createdAt: nowMs,
  };
}

export function openSigningKey(box: SealedBox, stored: StoredSigningKey): SigningKey {
  const pem = stored.privateSealed && box.open(stored.privateSealed, stored.keyId);
  if (pem === undefined) {
    throw new Error(
      'AUTH_KEY_ENCRYPTION_SECRET does not open the signing key: another secret sealed it. Restore that secret, or run `tollgate operator signing-key rotate`.',
    );
  }
  return { keyId: stored.keyId, privateKey: createPrivateKey(pem), createdAt: stored.createdAt };
}
