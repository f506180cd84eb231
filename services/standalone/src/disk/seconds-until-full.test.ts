import { expect, it } from '@jest/globals';
import { secondsUntilFull } from './seconds-until-full.ts';

const hour = 3_600_000;
const gb = 1e9;

it('goes on at the rate of the last day, and forgets what was before', () => {
  const earlier = [
    { atMs: 0, freeBytes: 900 * gb },
    { atMs: 76 * hour, freeBytes: 124 * gb },
    { atMs: 99 * hour, freeBytes: 101 * gb },
  ];
  expect(secondsUntilFull(earlier, { atMs: 100 * hour, freeBytes: 100 * gb })).toBe(100 * 3_600);
});

it('says nothing of a disk that does not fill, nor before an hour has passed', () => {
  const now = { atMs: 2 * hour, freeBytes: 5 * gb };
  expect(secondsUntilFull([], now)).toBeNull();
  expect(secondsUntilFull([{ atMs: hour, freeBytes: 5 * gb }], now)).toBeNull();
  expect(secondsUntilFull([{ atMs: hour, freeBytes: 4 * gb }], now)).toBeNull();
  expect(secondsUntilFull([{ atMs: hour + 1, freeBytes: 6 * gb }], now)).toBeNull();
});
