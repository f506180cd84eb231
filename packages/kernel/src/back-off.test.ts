import { describe, expect, it } from '@jest/globals';
import { backOffMs } from './back-off.ts';

const bounds = { firstMs: 100, maxMs: 1_500 };

describe('backOffMs', () => {
  it('doubles with each failure in a row, up to the longest pause', () => {
    const longest = [1, 2, 3, 4, 5, 6, 2_000].map((failures) => backOffMs(failures, bounds, 1));
    expect(longest).toEqual([100, 200, 400, 800, 1_500, 1_500, 1_500]);
  });

  it('is never shorter than half of the longest pause', () => {
    expect([1, 2, 9].map((failures) => backOffMs(failures, bounds, 0))).toEqual([50, 100, 750]);
  });

  it('differs from call to call', () => {
    const pauses = Array.from({ length: 20 }, () => backOffMs(1, bounds));
    expect(new Set(pauses).size).toBeGreaterThan(1);
    expect(pauses.every((pause) => pause >= 50 && pause < 100)).toBe(true);
  });
});
