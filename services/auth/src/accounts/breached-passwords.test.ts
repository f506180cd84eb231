import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { breachedPasswordsFile, createBreachedPasswords } from './breached-passwords.ts';

const breached = createBreachedPasswords();
beforeAll(() => breached.start());

describe('F155 a password known from a breach', () => {
  it.each([
    ['short', ['12345678', '00000000', '1q2w3e4r', 'password', 'Password1']],
    [
      'of 10 to 19 characters',
      [
        'QWERTYUIOP',
        'qwerty123456',
        'iloveyou123',
        'stopwatch1',
        'schreiner1985',
        'ilovedevon1255',
        'asiquieromiequipo29',
      ],
    ],
    ['long', ['thienthanvuonggialong', 'natasha466352natasha', '98fda03e645f625c73095c2826a7bf4c439bf620!']],
  ])('is refused if it is %s', (_length, passwords) => {
    for (const password of passwords) expect({ password, is: breached.has(password) }).toEqual({ password, is: true });
  });

  it('is not any other', () => {
    const others = ['correct horse battery staple', '', ' password', '__proto__', 'fG4!kk2p'];
    expect(others.filter((password) => breached.has(password))).toEqual([]);
  });

  const random = seededRandom('passwords', 20_261_124);
  const invent = (length: number) =>
    Array.from({ length }, () => String.fromCodePoint(random.integer(0x21, 0x7e))).join('');
  const refusedOf = (tries: number, length: () => number) =>
    Array.from({ length: tries }, () => breached.has(invent(length()))).filter(Boolean).length;

  it('takes no more than one of 60,000 others of 10 to 19 characters for one', () => {
    // Four are expected; more than 14 come once in 25,000 seeds. With a check of 12 bits there would be 64.
    expect(refusedOf(262_144, () => random.integer(10, 19))).toBeLessThan(15);
  }, 60_000);

  it('is never taken for a shorter or a longer one', () => {
    expect(refusedOf(10_000, () => 9) + refusedOf(10_000, () => random.integer(20, 40))).toBe(0);
  });
});

describe('F156 a list that', () => {
  const folder = mkdtempSync(join(tmpdir(), 'breached-passwords-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const whole = readFileSync(breachedPasswordsFile);
  const withoutLine = whole.subarray(whole.indexOf('\n') + 1);

  it.each([
    ['has another byte', () => Buffer.from(whole).fill('?', 4_000_000, 4_000_001)],
    ['lacks its end', () => whole.subarray(0, -1)],
    ['lacks its first line', () => withoutLine],
    ['has another first line', () => Buffer.concat([Buffer.from('{"sources":[]}\n'), withoutLine])],
    ['is empty', () => Buffer.alloc(0)],
    ['is not there', () => undefined],
  ])('%s stops the start, which says the file and what to do', async (title, content) => {
    const file = join(folder, title);
    const bytes = content();
    if (bytes !== undefined) writeFileSync(file, bytes);
    await expect(createBreachedPasswords(file).start()).rejects.toThrow(
      `The list of breached passwords, ${file}, is missing or damaged. Install Tollgate again`,
    );
  });

  it('was not started judges nothing', () => {
    expect(() => createBreachedPasswords().has('password')).toThrow('was not started');
  });
});
