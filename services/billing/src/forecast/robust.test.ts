import { describe, expect, it } from '@jest/globals';
import { medianOf, quantileOf, spreadOf, usualMeanOf } from './robust.ts';

describe('statistics that a wild value does not move', () => {
  const calm = [10n, 12n, 11n, 9n, 13n, 8n, 12n];

  it('is the median of odd and even many values, and 0 of none', () => {
    expect([medianOf(calm), medianOf([4n, 1n, 2n, 3n]), medianOf([])]).toEqual([11n, 2n, 0n]);
  });

  it('is a spread like a standard deviation, which one value does not change much', () => {
    const mad = 10_000n;
    expect(spreadOf([0n, mad, 2n * mad])).toBe(14_826n);
    expect(spreadOf([0n, mad, 2n * mad, 3n * mad, 10n ** 15n])).toBe(14_826n);
  });

  it('is a mean, to which a wild value adds no more than one at the edge', () => {
    expect(usualMeanOf([100n, 200n, 600n])).toBe(300n);
    expect(usualMeanOf([...calm, 10n ** 12n])).toBeLessThan(13n);
    expect(usualMeanOf([0n, 0n, 0n, 0n, 100n])).toBe(20n); // calls on one day of five are no wild value
    expect(usualMeanOf([])).toBe(0n);
  });

  it('is a quantile by rank', () => {
    const hundred = Array.from({ length: 101 }, (_, index) => BigInt(100 - index));
    expect([10, 50, 90, 100].map((percent) => quantileOf(hundred, percent))).toEqual([10n, 50n, 90n, 100n]);
    expect(quantileOf([], 50)).toBe(0n);
  });
});
