import { hkdfSync } from 'node:crypto';
import { expect, it } from '@jest/globals';

import { deriveSecret } from './derive-secret.ts';
import { Tollgate } from './tollgate.ts';

const apiKey = `tg_live_${'k'.repeat(38)}`;
const hex = async (client: Tollgate, purpose: string) =>
  Buffer.from(await deriveSecret(client, purpose)).toString('hex');

it('gives each purpose of each key 32 bytes of its own, by HKDF', async () => {
  const expected = Buffer.from(hkdfSync('sha256', apiKey, '', 'a', 32)).toString('hex');
  expect(await hex(new Tollgate({ apiKey }), 'a')).toBe(expected);
  expect(await hex(new Tollgate({ apiKey: 'other' }).with({ apiKey }), 'a')).toBe(expected);
  expect(await hex(new Tollgate({ apiKey }), 'b')).not.toBe(expected);
  expect(await hex(new Tollgate({ apiKey: 'other' }), 'a')).not.toBe(expected);
});
