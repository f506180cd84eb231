import { expect, it } from '@jest/globals';
import { capInWords, statusOf, toolsInWords } from './pass-words.ts';

it('says what a pass may spend, and on what', () => {
  expect(capInWords({ amount_usd: 5, window: 'day' })).toBe('$5.00 a day');
  expect(capInWords({ amount_usd: 1000.5, window: 'total' })).toBe('$1,000.50 in total');
  expect(capInWords(null)).toBe('no cap');
  expect([toolsInWords('*'), toolsInWords(['a', 'b'])]).toEqual(['all tools', 'a, b']);
});

it('tells by the time of the service whether a pass has expired, paused or not', () => {
  const pass = { expires_at: '2026-11-29T12:00:00.000Z', paused: true } as Parameters<typeof statusOf>[0];
  expect(statusOf(pass, '2026-11-29T11:59:59.999Z')).toBe('paused');
  expect(statusOf(pass, '2026-11-29T12:00:00.000Z')).toBe('expired');
  expect(statusOf({ ...pass, paused: false, expires_at: null }, '2026-11-29T12:00:00.000Z')).toBe('active');
});
