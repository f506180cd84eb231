import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  addDecimals,
  ceilQuotient,
  compareDecimals,
  formatDecimal,
  multiplyDecimals,
  normaliseDecimal,
  parseDecimal,
  roundHalfEven,
  subtractDecimals,
} from './decimal.ts';

const units = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n });
const places = fc.integer({ min: 0, max: 12 });
const texts = fc.tuple(units, places).map(([value, scale]) => textOf(value, scale));
const decimals = texts.map(parseDecimal);

/** Written independently of the code under test: pads and cuts text. */
function textOf(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return value < 0n ? `-${text}` : text;
}

const decimalOf = (value: bigint, scale: number) => parseDecimal(textOf(value, scale));

describe('normaliseDecimal', () => {
  it.each([
    ['0.0020', '0.002'],
    ['1.000', '1'],
    ['007', '7'],
    ['0', '0'],
    ['-0.00', '0'],
    ['-0.50', '-0.5'],
    ['100', '100'],
    ['0.000000000001', '0.000000000001'],
    ['999999999999.999999999999', '999999999999.999999999999'],
  ])('%s → %s', (text, expected) => {
    expect(normaliseDecimal(text)).toBe(expected);
  });

  it.each(['', '.5', '5.', '+1', '1e3', ' 1', '1 ', '1,5', 'NaN', 'Infinity', '--1', '0x10', '1.2.3', '1\n'])(
    'refuses %j',
    (text) => {
      expect(() => normaliseDecimal(text)).toThrow(RangeError);
    },
  );

  it('is the same done twice', () => {
    fc.assert(fc.property(texts, (text) => normaliseDecimal(normaliseDecimal(text)) === normaliseDecimal(text)));
  });

  it('gives equal values equal spellings', () => {
    fc.assert(
      fc.property(texts, fc.nat(8), (text, zeros) => {
        const longer = text.includes('.') ? text + '0'.repeat(zeros) : `${text}.${'0'.repeat(zeros + 1)}`;
        expect(normaliseDecimal(longer)).toBe(normaliseDecimal(text));
        expect(parseDecimal(longer)).toEqual(parseDecimal(text));
      }),
    );
  });
});

describe('addDecimals', () => {
  it('adds exactly where floats do not', () => {
    expect(formatDecimal(addDecimals(parseDecimal('0.1'), parseDecimal('0.2')))).toBe('0.3');
    expect(formatDecimal(addDecimals(parseDecimal('0.5'), parseDecimal('-0.5')))).toBe('0');
  });

  it('sums to the same in every order and grouping', () => {
    fc.assert(
      fc.property(decimals, decimals, decimals, (a, b, c) => {
        expect(addDecimals(a, addDecimals(b, c))).toEqual(addDecimals(addDecimals(c, a), b));
      }),
    );
  });

  it('agrees with integers at one scale', () => {
    fc.assert(
      fc.property(units, units, places, (left, right, scale) => {
        const sum = addDecimals(decimalOf(left, scale), decimalOf(right, scale));
        expect(sum).toEqual(decimalOf(left + right, scale));
      }),
    );
  });
});

describe('compareDecimals', () => {
  it.each([
    ['0.5', '0.50', 0],
    ['0.5', '0.05', 1],
    ['-1', '1', -1],
    ['2', '10', -1],
  ])('%s and %s: %d', (left, right, expected) => {
    expect(compareDecimals(parseDecimal(left), parseDecimal(right))).toBe(expected);
  });

  it('orders as the difference has it', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const { units: difference } = subtractDecimals(a, b);
        expect(compareDecimals(a, b)).toBe(difference === 0n ? 0 : difference < 0n ? -1 : 1);
      }),
    );
  });
});

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
    const divisors = fc
      .tuple(fc.bigInt({ min: 1n, max: 10n ** 24n }), places)
      .map(([value, scale]) => decimalOf(value, scale));
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
