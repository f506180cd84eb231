import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { commonPasswordsFile, createCommonPasswords } from './common-passwords.ts';

it('Auth carries the passwords of the lists (else: pnpm common-passwords)', () => {
  const made = createCommonPasswords();
  expect(readFileSync(commonPasswordsFile).equals(made)).toBe(true);
  expect(made.length / 5).toBeGreaterThan(18_000);
});
