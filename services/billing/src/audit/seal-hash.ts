import { createHash } from 'node:crypto';

/** The hash before the first seal of a chain. */
export const noSeal: Uint8Array = new Uint8Array(32);

/** The hash of a seal: of the seal before, and of the content of its row. */
export function sealHash(before: Uint8Array, content: Uint8Array): Buffer {
  return createHash('sha256').update(before).update(content).digest();
}
