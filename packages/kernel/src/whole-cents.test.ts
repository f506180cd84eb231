import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { micros, parseUsd } from './money.ts';
import { centsToMicros, floorToCents, toWholeCents } from './whole-cents.ts';

describe('whole cents', () => {
  it.each([
    ['0.5', '0.5', 50n, '0'],
    ['0.499999', '0.5', 0n, '0.499999'],
    ['0.509999', '0.5', 50n, '0.009999'],
    ['123.456789', '0.5', 12_345n, '0.006789'],
    ['0', '0.5', 0n, '0'],
    ['-0.000001', '0.5', 0n, '-0.000001'],
    ['-7', '0', 0n, '-7'],
    ['0.009999', '0', 0n, '0.009999'],
    ['0.01', '0', 1n, '0'],
  ])('of %s USD with a minimum of %s: %s cents, %s carried', (owed, minimum, totalCents, carried) => {
    expect(toWholeCents(parseUsd(owed), parseUsd(minimum))).toEqual({
      totalCents,
      carriedOutMicros: parseUsd(carried),
    });
  });

  it('F54 never lose or invent a micro-dollar, and never bill more than is owed', () => {
    const amounts = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    fc.assert(
      fc.property(amounts, fc.bigInt({ min: 0n, max: 10n ** 7n }), (owed, minimum) => {
        const { totalCents, carriedOutMicros } = toWholeCents(micros(owed), micros(minimum));
        expect(totalCents * 10_000n + carriedOutMicros).toBe(owed);
        expect(totalCents >= 0n && (totalCents === 0n || (carriedOutMicros >= 0n && carriedOutMicros < 10_000n))).toBe(
          true,
        );
      }),
    );
  });
});

describe('an amount, rounded down to cents', () => {
  it.each([
    ['0', 0n],
    ['0.009999', 0n],
    ['0.01', 1n],
    ['0.019999', 1n],
    ['12.34', 1_234n],
    ['-0.000001', -1n], // never more than the amount
    ['-0.01', -1n],
    ['-0.010001', -2n],
    ['-12.34', -1_234n],
  ])('F54 of %s USD is %s cents', (usd, cents) => {
    expect(floorToCents(parseUsd(usd))).toBe(cents);
  });

  it('F54 is less than a cent below the amount, and never above it', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (amount) => {
        const rest = amount - centsToMicros(floorToCents(micros(amount)));
        return rest >= 0n && rest < 10_000n;
      }),
    );
  });
});
