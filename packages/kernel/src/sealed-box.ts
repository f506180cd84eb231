import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts texts that must not be readable in the database. `context` names the row: a text moved to another row does not open. */
export interface SealedBox {
  seal(text: string, context: string): Buffer;
  /** Undefined: the text was sealed with another secret or for another row, or it was altered. */
  open(sealed: Uint8Array, context: string): string | undefined;
}

const version = 1;
const ivBytes = 12;
const tagBytes = 16;
const headBytes = 1 + ivBytes + tagBytes;

/** AES-256-GCM. Each purpose has a key of its own, derived from the secret. */
export function createSealedBox({
  secret,
  purpose,
}: {
  secret: string;
  purpose: 'signing-key' | 'token-rotation' | 'totp' | 'reply' | 'refresh-token' | 'webhook-endpoint' | 'mail-link';
}): SealedBox {
  const key = Buffer.from(hkdfSync('sha256', secret, 'tollgate/auth', purpose, 32));
  return { seal, open };

  function seal(text: string, context: string): Buffer {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(version), iv, cipher.getAuthTag(), body]);
  }

  function open(sealed: Uint8Array, context: string): string | undefined {
    if (sealed.length < headBytes || sealed[0] !== version) return undefined;
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + ivBytes), { authTagLength: tagBytes })
      .setAAD(Buffer.from(context))
      .setAuthTag(sealed.subarray(1 + ivBytes, headBytes));
    try {
      return decipher.update(sealed.subarray(headBytes), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return undefined; // the tag does not match, which callers expect
    }
  }
}
