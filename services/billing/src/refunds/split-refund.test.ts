import { describe, expect, it } from '@jest/globals';
import { micros, sumMicros, type Micros } from '@tollgate/kernel/money';
import fc from 'fast-check';
import { splitRefund } from './split-refund.ts';

const split = (amount: bigint, left: readonly bigint[]) => splitRefund(micros(amount), left.map(micros));

describe('a refund is split over the lines of its invoice', () => {
  it.each([
    ['one line', 40n, [100n], [40n], 0n],
    ['by what each has left', 30n, [100n, 200n], [10n, 20n], 0n],
    ['the odd micro-dollar to the largest remainder', 10n, [100n, 200n], [3n, 7n], 0n],
    ['ties in line order', 1n, [50n, 50n], [1n, 0n], 0n],
    ['all of it', 300n, [100n, 200n], [100n, 200n], 0n],
    ['more than is left', 350n, [100n, 200n], [100n, 200n], 50n],
    ['a line that was lowered gives nothing', 8n, [10n, -2n], [8n, 0n], 0n],
    ['nor can the others give what it took', 12n, [10n, -2n], [8n, 0n], 4n],
    ['nothing is left', 5n, [0n, 0n], [0n, 0n], 5n],
    ['less than nothing is left', 5n, [3n, -7n], [0n, 0n], 5n],
    ['no lines at all', 5n, [], [], 5n],
  ])('F52 %s', (_what, amount, left, shares, excess) => {
    expect(split(amount, left)).toEqual({ shares: shares, excessMicros: excess });
  });

  const amounts = fc.bigInt({ min: 1n, max: 10n ** 12n });
  const lines = fc.array(fc.oneof(fc.bigInt({ min: 0n, max: 20n }), amounts), { maxLength: 8 });

  it('F52 to the micro-dollar, and no line gives more than it has left', () => {
    fc.assert(
      fc.property(amounts, lines, (amount, left) => {
        const { shares, excessMicros } = split(amount, left);
        const all = left.reduce((total, one) => total + one, 0n);
        const isWithin = shares.every((share, index) => share >= 0n && share <= (left[index] ?? 0n));
        return (
          sumMicros(shares) + excessMicros === amount && isWithin && excessMicros === (amount > all ? amount - all : 0n)
        );
      }),
      { numRuns: 10_000 },
    );
  });

  it('F52 refunds in any number of parts take what is left, and no more, in the end', () => {
    fc.assert(
      fc.property(fc.array(amounts, { maxLength: 6 }), lines, (refunds, charged) => {
        let left: readonly Micros[] = charged.map(micros);
        for (const refund of refunds) {
          const { shares } = splitRefund(micros(refund), left);
          left = left.map((one, index) => micros(one - (shares[index] ?? 0n)));
        }
        const all = charged.reduce((total, one) => total + one, 0n);
        const asked = refunds.reduce((total, one) => total + one, 0n);
        expect(sumMicros(left)).toBe(asked > all ? 0n : all - asked);
        expect(left.every((one) => one >= 0n)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
