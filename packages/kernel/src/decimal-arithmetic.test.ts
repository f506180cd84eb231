import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  ceilQuotient,
  compareDecimals,
  formatDecimal,
  multiplyDecimals,
  parseDecimal,
  roundHalfEven,
  subtractDecimals,
  addDecimals,
  type Decimal,
} from './decimal.ts';

const units = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n });
const places = fc.integer({ min: 0, max: 12 });
const decimals = fc.tuple(units, places).map(([value, scale]) => decimalOf(value, scale));

/** By way of text, so that a value is what `parseDecimal` says it is. */
function decimalOf(value: bigint, scale: number): Decimal {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return parseDecimal(value < 0n ? `-${text}` : text);
}

describe('multiplyDecimals', () => {
  it.each([
    ['0.1', '0.2', '0.02'],
    ['2.5', '4', '10'],
    ['-0.5', '0.5', '-0.25'],
    ['0', '-7.3', '0'],
    ['999999999999.999999999999', '999999999999.999999999999', '999999999999999999999998.000000000000000000000001'],
  ])('%s × %s = %s', (left, right, product) => {
    expect(formatDecimal(multiplyDecimals(parseDecimal(left), parseDecimal(right)))).toBe(product);
  });

  it('distributes over sums, exactly', () => {
    fc.assert(
      fc.property(decimals, decimals, decimals, (a, b, c) => {
        const whole = multiplyDecimals(a, addDecimals(b, c));
        expect(addDecimals(multiplyDecimals(a, b), multiplyDecimals(a, c))).toEqual(whole);
      }),
    );
  });
});

describe('subtractDecimals', () => {
  it('takes away what was added', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        expect(subtractDecimals(addDecimals(a, b), b)).toEqual(a);
      }),
    );
  });
});

describe('ceilQuotient', () => {
  it.each([
    ['0', '10', 0n],
    ['0.000001', '10', 1n],
    ['10', '10', 1n],
    ['10.000001', '10', 2n],
    ['7', '0.5', 14n],
    ['1', '0.3', 4n],
    ['-1', '10', 0n],
    ['-11', '10', -1n],
  ])('%s in parts of %s: %s', (dividend, divisor, parts) => {
    expect(ceilQuotient(parseDecimal(dividend), parseDecimal(divisor))).toBe(parts);
  });

  it('is the smallest whole number that covers the dividend', () => {
    const divisors = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 24n }), places).map(([v, s]) => decimalOf(v, s));
    fc.assert(
      fc.property(decimals, divisors, (dividend, divisor) => {
        const parts = ceilQuotient(dividend, divisor);
        const covered = (count: bigint) => multiplyDecimals(divisor, decimalOf(count, 0));
        expect(compareDecimals(covered(parts), dividend)).toBeGreaterThanOrEqual(0);
        expect(compareDecimals(covered(parts - 1n), dividend)).toBeLessThan(0);
      }),
    );
  });

  it.each(['0', '-1'])('refuses the divisor %s', (divisor) => {
    expect(() => ceilQuotient(parseDecimal('1'), parseDecimal(divisor))).toThrow(RangeError);
  });
});

describe('roundHalfEven', () => {
  it.each([
    ['0.5', 0, 0n],
    ['1.5', 0, 2n],
    ['2.5', 0, 2n],
    ['-0.5', 0, 0n],
    ['-1.5', 0, -2n],
    ['-2.5', 0, -2n],
    ['2.500000000001', 0, 3n],
    ['2.499999999999', 0, 2n],
    ['-2.500000000001', 0, -3n],
    ['0.0000005', 6, 0n],
    ['0.0000015', 6, 2n],
    ['1.25', 1, 12n],
    ['1.35', 1, 14n],
    ['12', 6, 12_000_000n],
  ])('F54 rounds %s to %d places: %s', (text, to, rounded) => {
    expect(roundHalfEven(parseDecimal(text), to)).toBe(rounded);
  });

  it('F54 takes the nearest, and of two equally near the even one', () => {
    fc.assert(
      fc.property(decimals, fc.integer({ min: 0, max: 8 }), (value, to) => {
        const rounded = roundHalfEven(value, to);
        const half = decimalOf(5n, to + 1);
        const distance = subtractDecimals(value, decimalOf(rounded, to));
        const size = distance.units < 0n ? { ...distance, units: -distance.units } : distance;
        const order = compareDecimals(size, half);
        return order < 0 || (order === 0 && rounded % 2n === 0n);
      }),
      { numRuns: 20_000 },
    );
  });

  it('F54 rounds a tie at every place to the even neighbour', () => {
    fc.assert(
      fc.property(units, fc.integer({ min: 0, max: 11 }), (below, to) => {
        const tie = decimalOf(below * 10n + 5n, to + 1); // between `below` and the next
        expect(roundHalfEven(tie, to)).toBe(below % 2n === 0n ? below : below + 1n);
      }),
    );
  });
});
