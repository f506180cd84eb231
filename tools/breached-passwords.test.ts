import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { codePointLength } from '../packages/kernel/src/text.ts';
import { isListed, parseBreachList } from '../services/auth/src/accounts/breach-list.ts';
import { breachedPasswordsFile } from '../services/auth/src/accounts/breached-passwords.ts';
import { passwordCodePointsMin } from '../services/auth/src/accounts/password-rules.ts';
import { breachSources, installedWords } from './breach-sources.ts';

it('Auth carries the passwords of the present lists (else: pnpm breached-passwords)', async () => {
  const list = await parseBreachList(readFileSync(breachedPasswordsFile));
  expect(list.header.sources).toEqual(breachSources());
  const words = installedWords().filter((word) => codePointLength(word) >= passwordCodePointsMin);
  expect(words.length).toBeGreaterThan(18_000);
  expect(words.filter((word) => !isListed(list, word))).toEqual([]);
});
