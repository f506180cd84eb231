import { readFileSync } from 'node:fs';

import { expect, it } from '@jest/globals';

import { withSettings } from './settings-section.ts';

it('The README tells the settings as the services read them (else: pnpm settings)', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  expect(readme).toBe(withSettings(readme));
});
