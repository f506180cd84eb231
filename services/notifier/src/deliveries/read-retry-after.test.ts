import { expect, it } from '@jest/globals';
import { readRetryAfter } from './read-retry-after.ts';

const nowMs = Date.parse('2026-11-29T12:00:00.000Z');

it.each([
  [null, null],
  ['120', 120_000],
  ['0', 0],
  ['Sun, 29 Nov 2026 12:01:00 GMT', 60_000],
  ['Sun, 29 Nov 2026 11:00:00 GMT', 0],
  ['soon', null],
  ['-5x', null],
  ['9999999999', null],
])('Retry-After %s asks for %s ms', (header, ms) => expect(readRetryAfter(header, nowMs)).toBe(ms));
