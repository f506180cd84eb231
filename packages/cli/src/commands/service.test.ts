import { expect, it } from '@jest/globals';
import { isNewEnough, isWithoutService, quoted } from './service.ts';

it.each([
  ['20.20.2', false],
  ['22.12.0', false],
  ['22.13.0', true],
  ['24.0.0', true],
])('whether Node %s can start the service: %s', (version, expected) => {
  expect(isNewEnough(version)).toBe(expected);
});

it('knows an installation without the service from one that is broken', async () => {
  const missing = async (name: string): Promise<unknown> => import(name).catch((error: unknown) => error);
  const others = [await missing('@tollgate/no-such-package'), new Error('@tollgate/standalone'), undefined];
  expect(others.map(isWithoutService)).toEqual([false, false, false]);
  const gone = "Cannot find package '@tollgate/standalone' imported from /app/packages/cli/dist/commands/service.js";
  expect(isWithoutService(Object.assign(new Error(gone), { code: 'ERR_MODULE_NOT_FOUND' }))).toBe(true);
});

it('prints a command line that a shell reads as it was typed', () => {
  expect(['start', '/a/b-c.js', 'two words', "it's", ''].map(quoted)).toEqual([
    'start',
    '/a/b-c.js',
    "'two words'",
    String.raw`'it'\''s'`,
    "''",
  ]);
});
