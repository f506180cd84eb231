import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addDecimals, formatDecimal, parseDecimal } from '@tollgate/kernel/decimal';
import { measureOf, measurePattern } from './measure.ts';

describe('measureOf', () => {
  it.each<[unknown, string]>([
    [0, '0'],
    [-0, '0'],
    [12, '12'],
    [0.1, '0.1'],
    [0.000001, '0.000001'],
    [1e3, '1000'],
    [999_999_999_999, '999999999999'],
    [999_999_999.999999, '999999999.999999'],
    ['12', '12'],
    ['1.50', '1.5'],
    ['1.5000000000', '1.5'], // six decimals by value
    ['0.000001', '0.000001'],
    ['999999999999.999999', '999999999999.999999'],
  ])('%j counts %s', (value, expected) => {
    expect(measureOf(value)).toBe(expected);
  });

  const numbers = [-1, 0.1 + 0.2, 1e12, 1e21, 1e-7, Number.NaN, Number.POSITIVE_INFINITY]; // 0.30000000000000004
  const texts = '1e3 -1 -0 +1 007 .5 5. 1000000000000 0.0000001 NaN 0x10 １２'.split(' ');
  const others = [' 5', '5\n', '', true, null, undefined, {}, [1], 1n];

  it.each([...numbers, ...texts, ...others])('%p cannot be summed', (value: unknown) => {
    expect(measureOf(value)).toBeUndefined();
  });

  it('takes a number exactly when it takes the same number as text', () => {
    fc.assert(
      fc.property(fc.double(), (value) => measureOf(value) === measureOf(String(Object.is(value, -0) ? 0 : value))),
    );
  });

  it('takes every amount of at most six decimals below 10¹², whole', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }), (micros) => {
        const text = formatDecimal({ units: micros, scale: 6 });
        const spelled = formatDecimal(addDecimals(parseDecimal(text), parseDecimal('0')));
        expect(measureOf(text)).toBe(spelled);
      }),
    );
  });

  it('keeps to what PostgreSQL reads alike: no classes, no look-around', () => {
    expect(measurePattern).not.toMatch(/\\[dDwWsSb]|\(\?/);
  });
});
