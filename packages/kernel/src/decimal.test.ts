import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addDecimals, compareDecimals, formatDecimal, normaliseDecimal, parseDecimal } from './decimal.ts';

const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.integer({ min: 0, max: 12 }))
  .map(([units, scale]) => textOf(units, scale));

/** Written independently of the code under test: pads and cuts text. */
function textOf(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return units < 0n ? `-${text}` : text;
}

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
    fc.assert(fc.property(decimals, (text) => normaliseDecimal(normaliseDecimal(text)) === normaliseDecimal(text)));
  });

  it('gives equal values equal spellings', () => {
    fc.assert(
      fc.property(decimals, fc.nat(8), (text, zeros) => {
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
        const [x, y, z] = [parseDecimal(a), parseDecimal(b), parseDecimal(c)];
        expect(addDecimals(x, addDecimals(y, z))).toEqual(addDecimals(addDecimals(z, x), y));
      }),
    );
  });

  it('agrees with integers at one scale', () => {
    const units = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
    fc.assert(
      fc.property(units, units, fc.nat(12), (left, right, scale) => {
        const sum = addDecimals(parseDecimal(textOf(left, scale)), parseDecimal(textOf(right, scale)));
        expect(sum).toEqual(parseDecimal(textOf(left + right, scale)));
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
        const difference = addDecimals(parseDecimal(a), parseDecimal(textNegated(b))).units;
        expect(compareDecimals(parseDecimal(a), parseDecimal(b))).toBe(
          difference === 0n ? 0 : difference < 0n ? -1 : 1,
        );
      }),
    );
  });
});

function textNegated(text: string): string {
  return text.startsWith('-') ? text.slice(1) : `-${text}`;
}
