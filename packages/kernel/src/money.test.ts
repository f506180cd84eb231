import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseDecimal } from './decimal.ts';
import { formatUsd, micros, parseUsd, roundToMicros, sumMicros } from './money.ts';

describe('money as text', () => {
  it.each([
    ['0', 0n],
    ['0.000001', 1n],
    ['-0.000001', -1n],
    ['0.0025', 2_500n],
    ['12.5', 12_500_000n],
    ['-12.05', -12_050_000n],
    ['1000', 1_000_000_000n],
    ['123456789012345678.000001', 123_456_789_012_345_678_000_001n],
  ])('%s is %s micro-dollars', (text, amount) => {
    expect(parseUsd(text)).toBe(amount);
    expect(formatUsd(micros(amount))).toBe(text);
  });

  it('reads back what it wrote', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (amount) => {
        expect(parseUsd(formatUsd(micros(amount)))).toBe(amount);
      }),
    );
  });

  it.each(['0.0000001', '1.2345678', '', '1e3', '$1', '1,000'])(
    'refuses %j instead of rounding or guessing',
    (text) => {
      expect(() => parseUsd(text)).toThrow(RangeError);
    },
  );
});

describe('roundToMicros', () => {
  it.each([
    ['0.0000004', 0n],
    ['0.0000005', 0n],
    ['0.000000500000000001', 1n],
    ['0.0000015', 2n],
    ['0.0000025', 2n],
    ['0.0025', 2_500n],
  ])('makes %s USD %s', (usd, amount) => {
    expect(roundToMicros(parseDecimal(usd))).toBe(amount);
  });
});

describe('sumMicros', () => {
  it('adds, and is zero for nothing', () => {
    expect(sumMicros([])).toBe(0n);
    expect(sumMicros([micros(2n ** 64n), micros(-1n)])).toBe(2n ** 64n - 1n);
  });
});
