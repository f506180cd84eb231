import { describe, expect, it } from '@jest/globals';
import { decimalsOf, formatAmount, formatQuantity } from './format-amount.ts';

describe('amounts', () => {
  it.each<[bigint, number, string]>([
    [0n, 2, '0.00'],
    [1n, 6, '0.000001'],
    [-7_500n, 4, '−0.0075'],
    [999_990_000n, 2, '999.99'],
    [1_000_000_000n, 2, '1,000.00'],
    [123_456_789_012_345_678_901_234_567n, 6, '123,456,789,012,345,678,901.234567'],
  ])('%p with %p decimals is %p', (micros, decimals, text) => {
    expect(formatAmount(micros, decimals)).toBe(text);
  });

  it.each<[bigint[], number]>([
    [[], 2],
    [[0n, 1_500_000n], 2],
    [[10_000n, 2_500n], 4],
    [[-1n, 10_000n], 6],
  ])('%p are exact with %p decimals', (amounts, decimals) => {
    expect(decimalsOf(amounts)).toBe(decimals);
  });

  it.each([
    ['0', '0'],
    ['1234567', '1,234,567'],
    ['-1234.5', '−1,234.5'],
    ['0.000000000000000000001', '0.000000000000000000001'],
  ])('the quantity %p is %p', (quantity, text) => {
    expect(formatQuantity(quantity)).toBe(text);
  });
});
