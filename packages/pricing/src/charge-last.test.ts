import { describe, expect, it } from '@jest/globals';
import { sumMicros } from '@tollgate/kernel/money';
import { ratedPrices, usageCounts } from '@tollgate/testkit/pricing/usage-arbitraries';
import fc from 'fast-check';
import { boundPrice } from './bound-price.ts';
import { chargeLast } from './charge-last.ts';
import { rateUsage } from './rate-usage.ts';

const total = (...args: Parameters<typeof rateUsage>) => sumMicros(rateUsage(...args).map((line) => line.chargeMicros));

describe('what the last events added to the bill', () => {
  it('adds up to what the bill rose by, and is for each at most its bound', () => {
    fc.assert(
      fc.property(usageCounts, usageCounts, ratedPrices, (before, last, prices) => {
        const all = [...before, ...last];
        const charged = chargeLast(all, last, prices);
        expect(sumMicros(charged.values())).toBe(total(all, prices) - total(before, prices));
        const aboveBound = [...charged].filter(([event, charge]) => {
          const rated = prices.get(event.priceId);
          return rated !== undefined && boundPrice(rated.price, event) < charge;
        });
        expect(aboveBound).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});
