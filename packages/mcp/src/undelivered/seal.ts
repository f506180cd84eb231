import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Hides what a store keeps: its folder or its Redis shows no name of a caller or tool, no argument and no answer. */
export interface Seal {
  /** A name that tells nothing. */
  nameOf(text: string): string;
  close(name: string, text: string): Uint8Array;
  /** Undefined: it was not closed under this name with this secret. */
  open(name: string, sealed: Uint8Array): string | undefined;
}

/** The purpose of the secret: the builder's API key has others. */
export const answersPurpose = 'tollgate/mcp: undelivered answers';

const ivBytes = 12;
const tagBytes = 16;

/** AES-256-GCM, each time with an IV of its own. The name is authenticated, so no answer passes for another one. */
export function createSeal(secret: Uint8Array): Seal {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  const [nameKey, answerKey] = [derive('name'), derive('answer')];
  return {
    nameOf: (text) => createHmac('sha256', nameKey).update(text).digest('base64url'),
    close(name, text) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', answerKey, iv).setAAD(Buffer.from(name));
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), hidden]);
    },
    open(name, sealed) {
      try {
        const iv = sealed.subarray(0, ivBytes);
        const options = { authTagLength: tagBytes };
        const decipher = createDecipheriv('aes-256-gcm', answerKey, iv, options).setAAD(Buffer.from(name));
        decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
        const shown = decipher.update(sealed.subarray(ivBytes + tagBytes));
        return Buffer.concat([shown, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
