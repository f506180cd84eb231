import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Of 40 bits: one of 60 million other passwords is refused by mistake. */
const fingerprintBytes = 5;
/** Beside `src` and `dist`, so that both find it. */
const file = new URL('../../data/common-passwords.bin', import.meta.url);

/**
 * Whether a password is among those that stand in every list of breached ones, in upper or lower case: an attacker guesses
 * the variants as early. The file has sorted fingerprints; `pnpm common-passwords` writes it (ADR 97). Nothing is asked
 * over a network.
 */
export function createIsCommonPassword(): (password: string) => boolean {
  const known = readFileSync(file);
  return function isCommonPassword(password) {
    return isAmong(known, fingerprintOf(password));
  };
}

export function fingerprintOf(password: string): Buffer {
  return hash('sha256', password.toLowerCase(), 'buffer').subarray(0, fingerprintBytes);
}

function isAmong(known: Buffer, wanted: Buffer): boolean {
  let [from, to] = [0, known.length / fingerprintBytes];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const at = middle * fingerprintBytes;
    const order = known.compare(wanted, 0, fingerprintBytes, at, at + fingerprintBytes);
    if (order === 0) return true;
    if (order < 0) from = middle + 1;
    else to = middle;
  }
  return false;
}
