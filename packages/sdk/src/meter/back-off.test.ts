import { expect, it } from '@jest/globals';
import { backOffMs } from './back-off.ts';

it('waits a random part of a bound that doubles up to a minute', () => {
  expect(backOffMs({ failures: 1, retryAfter: undefined, random: 0.5 })).toBe(250);
  expect(backOffMs({ failures: 4, retryAfter: undefined, random: 0.5 })).toBe(2_000);
  expect(backOffMs({ failures: 1_000, retryAfter: undefined, random: 0.5 })).toBe(30_000);
});

it('waits at least as long as the service says', () => {
  expect(backOffMs({ failures: 1, retryAfter: 7, random: 0 })).toBe(7_000);
});

it.each([301, 86_400, 1e12, Number.MAX_VALUE, Infinity])(
  'F261 waits five minutes at most, though the service says %s s',
  (retryAfter) => expect(backOffMs({ failures: 1, retryAfter, random: 0.9 })).toBe(300_000),
);
