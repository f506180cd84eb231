import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { Tollgate } from '@tollgate/sdk';
import { deriveSecret } from '@tollgate/sdk/calls';

import { answersPurpose, createSeal } from './seal.ts';

const secret = randomBytes(32);
const seal = createSeal(secret);

it('opens what was closed under the same name with the same secret, and nothing else', () => {
  const closed = seal.close('a', '12 degrees');
  expect(createSeal(secret).open('a', closed)).toBe('12 degrees');
  expect(seal.open('b', closed)).toBeUndefined();
  expect(createSeal(randomBytes(32)).open('a', closed)).toBeUndefined();
  for (const at of closed.keys()) {
    const changed = Uint8Array.from(closed, (byte, index) => (index === at ? byte ^ 1 : byte));
    expect(seal.open('a', changed)).toBeUndefined();
  }
  expect([seal.open('a', closed.subarray(0, 20)), seal.open('a', new Uint8Array())]).toEqual([undefined, undefined]);
});

it('shows neither an answer nor a name, and closes the same text differently each time', () => {
  const [one, other] = [seal.close('a', '12 degrees'), seal.close('a', '12 degrees')];
  expect(Buffer.from(one).equals(other)).toBe(false);
  expect(Buffer.from(one).includes('degrees')).toBe(false);
  expect(seal.nameOf('tg_pass_1')).toMatch(/^[\w-]{43}$/);
  expect(seal.nameOf('tg_pass_1')).toBe(createSeal(secret).nameOf('tg_pass_1'));
  expect(seal.nameOf('tg_pass_1')).not.toBe(createSeal(randomBytes(32)).nameOf('tg_pass_1'));
});

it('opens what was closed before, also by the client for Python', async () => {
  const file = new URL('../../test/sealed-answer.json', import.meta.url);
  const { api_key: apiKey, text, name, sealed } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  const given = createSeal(await deriveSecret(new Tollgate({ apiKey }), answersPurpose));
  expect(given.nameOf(String(text))).toBe(name);
  expect(given.open(String(name), Buffer.from(String(sealed), 'hex'))).toBe(text);
});
