import { readFileSync } from 'node:fs';

import { expect, it } from '@jest/globals';

import { settingsPage } from './settings-page.ts';

it('docs/settings.md has the settings as the services read them (else: pnpm settings)', () => {
  expect(readFileSync(new URL('../docs/settings.md', import.meta.url), 'utf8')).toBe(settingsPage());
});
