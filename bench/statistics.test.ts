import { describe, expect, it } from '@jest/globals';
import { comparePairs, medianOf, percentile, spreadOf } from './statistics.ts';

describe('statistics', () => {
  it('takes the mean of the two middle values of an even count as the median', () => {
    expect(medianOf([4, 1, 3, 2])).toBe(2.5);
    expect(medianOf([3, 1, 2])).toBe(2);
  });

  it('spreads from the least to the greatest value', () => {
    expect(spreadOf([5, 1, 9])).toEqual({ min: 1, median: 5, max: 9 });
  });

  it('takes the 99th of a hundred values as the 99th percentile', () => {
    const values = Array.from({ length: 100 }, (_, at) => at + 1);
    expect(percentile(values, 0.99)).toBe(99);
    expect(percentile([7], 0.99)).toBe(7);
  });
});

describe('comparePairs', () => {
  const random = numbersFrom(1);

  it('is confident of a difference that all of ten noisy rounds show', () => {
    const pairs = Array.from({ length: 10 }, (_, at) => ({ first: 100 + at, second: (100 + at) * (1.1 + at / 1_000) }));
    const { ratio, interval, confidence } = comparePairs(pairs, random);
    expect(ratio).toBeCloseTo(1.1045, 3);
    expect(interval[0]).toBeGreaterThan(1.09);
    expect(confidence).toBeCloseTo(1 - 2 / 1_024, 6);
  });

  it('is not confident of a difference that changes its sign from round to round', () => {
    const pairs = Array.from({ length: 10 }, (_, at) => ({ first: 100, second: at % 2 === 0 ? 105 : 95 }));
    expect(comparePairs(pairs, random).confidence).toBeLessThan(0.5);
  });

  it('cannot be confident of anything after four rounds', () => {
    const pairs = Array.from({ length: 4 }, () => ({ first: 100, second: 200 }));
    expect(comparePairs(pairs, random).confidence).toBeLessThan(0.95);
  });

  it('calls a drift of the machine under both sides no difference', () => {
    const pairs = Array.from({ length: 10 }, (_, at) => ({ first: 100 + 20 * at, second: 100 + 20 * at }));
    expect(comparePairs(pairs, random).confidence).toBe(0);
  });
});

function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
