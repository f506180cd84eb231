import { hash, randomBytes } from 'node:crypto';
import { Secret } from 'otpauth';

const codesInSet = 10;
/** 120 bits: nobody can try them out, not even from a stolen hash. */
const codeBytes = 15;

/** Codes such as `7Q4ZKX-AB2MNP-WY6RTC-3HJD5E`. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: codesInSet }, () => {
    const text = new Secret({ buffer: Uint8Array.from(randomBytes(codeBytes)).buffer }).base32;
    return text.replaceAll(/.{6}(?=.)/g, '$&-');
  });
}

/** Case, blanks and hyphens do not matter: people copy these codes from paper. */
export function hashRecoveryCode(code: string): Buffer {
  return hash('sha256', code.replaceAll(/[\s-]/g, '').toUpperCase(), 'buffer');
}
