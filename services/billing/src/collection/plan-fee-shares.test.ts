import { describe, expect, it } from '@jest/globals';
import { micros } from '@tollgate/kernel/money';
import fc from 'fast-check';
import { planFeeShares } from './plan-fee-shares.ts';

const earnings = fc.array(fc.bigInt({ min: -(10n ** 6n), max: 10n ** 12n }), { maxLength: 12 });
const sum = (amounts: readonly bigint[]) => amounts.reduce((all, amount) => all + amount, 0n);

describe('the shares of builders in a fee', () => {
  it('F219 add up to the fee, or to all that was earned, and each is its part to the micro-dollar', () => {
    fc.assert(
      fc.property(earnings, fc.bigInt({ min: 0n, max: 10n ** 12n }), (each, fee) => {
        const released = each.map((earning, at) => ({ builderId: `b${at}`, earningMicros: micros(earning) }));
        const shares = planFeeShares({ feeMicros: micros(fee), released });
        const all = sum(each.filter((earning) => earning > 0n));
        const shared = fee < all ? fee : all;
        expect(sum(shares.map(({ amountMicros }) => amountMicros))).toBe(shared);
        for (const { builderId, amountMicros } of shares) {
          const earning = released.find((one) => one.builderId === builderId)?.earningMicros ?? micros(0n);
          const off = amountMicros * all - earning * shared;
          expect(off < all && off > -all && amountMicros <= earning).toBe(true);
        }
      }),
    );
  });

  it('do not depend on the order of what was released', () => {
    const released = ['a', 'b', 'c'].map((builderId) => ({ builderId, earningMicros: micros(10n) }));
    const shares = [
      { builderId: 'a', amountMicros: 4n },
      { builderId: 'b', amountMicros: 3n },
      { builderId: 'c', amountMicros: 3n },
    ];
    expect(planFeeShares({ feeMicros: micros(10n), released })).toEqual(shares);
    expect(planFeeShares({ feeMicros: micros(10n), released: released.toReversed() })).toEqual(shares);
  });
});
