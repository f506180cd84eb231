import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatUsd, micros } from './money.ts';
import { toUsdNumber } from './usd-number.ts';

const edge = 2n ** 33n * 1_000_000n;

describe('a *_usd number', () => {
  it.each([
    [0n, '0'],
    [1n, '0.000001'],
    [-1n, '-0.000001'],
    [12_500_000n, '12.5'],
    [300_000n, '0.3'],
    [edge - 1n, '8589934591.999999'],
    [edge, '8589934592'],
    [edge + 1n, '8589934592.000001'],
    [10n ** 30n + 1n, '1000000000000000000000000.000001'],
  ])('of %s micro-dollars is written %s', (amount, text) => {
    // JavaScript alone writes numbers below 10⁻⁶ with an exponent; a micro-dollar is just above that.
    expect(JSON.stringify(toUsdNumber(micros(amount)))).toBe(text);
  });

  it.each([
    [edge - 1n, 'number'],
    [1n - edge, 'number'],
    [edge, 'object'],
    [-edge, 'object'],
  ])('of %s micro-dollars is a plain %s: plain as long as a double has all digits', (amount, type) => {
    expect(typeof toUsdNumber(micros(amount))).toBe(type);
  });

  it('is written with exactly the digits of the amount', () => {
    const amounts = fc.oneof(
      fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
      fc.bigInt({ min: -2n * edge, max: 2n * edge }),
      fc.bigInt({ min: edge / 2n, max: edge }), // where doubles are at their coarsest
    );
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(JSON.stringify(toUsdNumber(micros(amount)))).toBe(formatUsd(micros(amount)));
      }),
      { numRuns: 2_000 },
    );
  });
});
