import { expect, it } from '@jest/globals';
import { readRetryAfter } from './read-retry-after.ts';

const date = 'Sat, 21 Nov 2026 10:00:00 GMT';
const nowSeconds = Date.parse(date) / 1_000;

it.each([
  ['7', 7],
  [' 0.5 ', 0.5],
  ['0', 0],
  ['86400', 86_400],
  ['Sat, 21 Nov 2026 10:00:30 GMT', 30],
  ['Saturday, 21-Nov-26 10:00:30 GMT', 30],
  ['Sat, 21 Nov 2026 09:59:30 GMT', 0],
  [String(nowSeconds + 30), 30],
  [String((nowSeconds + 30) * 1_000), 30],
  [String(nowSeconds - 30), 0],
  ['9'.repeat(400), undefined],
  ['-5', undefined],
  ['inf', undefined],
  ['Infinity', undefined],
  ['nan', undefined],
  ['1e3', undefined],
  ['0x10', undefined],
  ['', undefined],
  ['soon', undefined],
  ['Sat, 99 Nov 2026 10:00:30 GMT', undefined],
])('reads `Retry-After: %s` as %s seconds', (text, seconds) => {
  expect(readRetryAfter(new Headers({ 'retry-after': text, date }))).toBe(seconds);
});

it('knows no wait without the header', () => {
  expect(readRetryAfter(new Headers())).toBeUndefined();
});
