import { createHmac, hash, hkdfSync, randomBytes, randomInt } from 'node:crypto';

/** Letters that nobody confuses, and that make no words (RFC 8628, 6.1). */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
/** 20^8: 34 bits. A code lives ten minutes, and an address tries a hundred per minute. */
const length = 8;

/** A code that people read and type, such as `WDJB-MJHT`. */
export function createUserCode(random: (below: number) => number = randomInt): string {
  const letters = Array.from({ length }, () => alphabet.charAt(random(alphabet.length)));
  return `${letters.slice(0, length / 2).join('')}-${letters.slice(length / 2).join('')}`;
}

export type HashUserCode = (code: string) => Buffer;

/** The code is short, so its hash has a key: whoever reads the database alone cannot try all codes. */
export function createHashUserCode(secret: string): HashUserCode {
  const key = Buffer.from(hkdfSync('sha256', secret, 'tollgate/auth', 'user-code', 32));
  return (code) => createHmac('sha256', key).update(toLetters(code)).digest();
}

/** Case, blanks and hyphens do not matter. */
function toLetters(code: string): string {
  return code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}

/** 256 bits, for the program alone. A fast hash keeps it as well as a slow one does. */
export function createDeviceCode(): string {
  return `device_${randomBytes(32).toString('base64url')}`;
}

export function hashDeviceCode(code: string): Buffer {
  return hash('sha256', code, 'buffer');
}
