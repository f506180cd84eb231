import { describe, expect, it } from '@jest/globals';
import { formatUsd, micros, parseUsd } from '@tollgate/kernel/money';
import fc from 'fast-check';
import { feeOn } from './fee.ts';

const gross = fc.oneof(
  fc.bigInt({ min: -(10n ** 12n), max: 10n ** 16n }),
  fc.bigInt({ min: 10n ** 9n - 100n, max: 10n ** 9n + 100n }), // the 1,000 USD edge
);

describe('the fee on a gross', () => {
  it.each([
    ['-5', '0'],
    ['0', '0'],
    ['999.999999', '0'],
    ['1000', '0'],
    ['1000.000001', '0'],
    ['1000.000024', '0'], // 4 % of 24 is 0.96 of a micro-dollar
    ['1000.000025', '0.000001'],
    ['1000.000049', '0.000001'],
    ['1000.00005', '0.000002'],
    ['1001', '0.04'],
    ['2000', '40'],
    ['1001000', '40000'],
  ])('F54 of %s USD is %s USD', (of, fee) => {
    expect(formatUsd(feeOn(parseUsd(of)))).toBe(fee);
  });

  it('F54 is the largest whole micro-dollar that is not above 4 % of what is over 1,000 USD', () => {
    fc.assert(
      fc.property(gross, (amount) => {
        const fee = feeOn(micros(amount));
        const over = amount > 10n ** 9n ? amount - 10n ** 9n : 0n;
        return fee * 25n <= over && over < (fee + 1n) * 25n; // 4 % is one part of 25
      }),
      { numRuns: 100_000 },
    );
  });
});
