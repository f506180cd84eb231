import { afterEach, beforeEach, expect, it } from '@jest/globals';

import { stdioKey } from './stdio-key.ts';

const variable = 'TOLLGATE_KEY';
const platform = globalThis as { process?: NodeJS.Process };
const { process: ours } = platform;

beforeEach(() => {
  process.env[variable] = 'tg_pass_env';
});
afterEach(() => {
  platform.process = ours as NodeJS.Process;
  delete process.env[variable];
});

it.each([
  ['the standard input', () => ({ _stdin: process.stdin }), 'tg_pass_env'],
  ['a channel over the standard input', () => ({ _wire: { _stdin: process.stdin } }), 'tg_pass_env'],
  ['another stream, such as a socket', () => ({ _stdin: {} }), undefined],
  ['a transport over HTTP', () => ({ sessionId: 'a', handleRequest: () => undefined }), undefined],
  ['a channel over something else', () => ({ _wire: undefined }), undefined],
])('over %s: %#', (_title, transport, key) => {
  expect(stdioKey(transport())).toBe(key);
});

it('takes an empty variable for none', () => {
  process.env[variable] = '';
  expect(stdioKey({ _stdin: process.stdin })).toBeUndefined();
});

it('needs no process', () => {
  delete platform.process;
  expect(stdioKey({})).toBeUndefined();
  expect(stdioKey({ _stdin: undefined })).toBeUndefined();
});
