import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { lineKey, rateSlowly } from '@tollgate/testkit/pricing/rate-slowly';
import { cutAnew, ratedPrices, usageCounts } from '@tollgate/testkit/pricing/usage-arbitraries';
import type { Line } from './line.ts';
import type { RatedPrice } from './rated-price.ts';
import { rateUsage } from './rate-usage.ts';
import type { CountedUsage } from './counted-usage.ts';

const perCall: RatedPrice = {
  priceId: 'search-1',
  toolId: 'search',
  builderId: 'builder',
  effectiveFromMs: null,
  price: {
    currency: 'usd',
    charges: [
      {
        name: 'per call',
        metric: { type: 'calls' },
        model: { type: 'per_unit', unit_price_usd: '0.0025' },
        free_quantity: '0',
      },
    ],
    bill_failed_calls: false,
  },
};
const counted: CountedUsage = {
  period: '2026-11',
  consumerId: 'consumer',
  priceId: 'search-1',
  success: true,
  calls: 3n,
  durationMs: 0n,
  measures: new Map(),
};

const only = (price: RatedPrice) => new Map([[price.priceId, price]]);
const chargesOf = (lines: readonly Line[]) => new Map(lines.map((line) => [lineKey(line), line.chargeMicros]));

describe('rating', () => {
  it('makes one line of a price version and a charge, with what an invoice shows of it', () => {
    expect(rateUsage([counted, { ...counted, calls: 1n }], only(perCall))).toEqual([
      {
        period: '2026-11',
        consumerId: 'consumer',
        builderId: 'builder',
        toolId: 'search',
        priceId: 'search-1',
        chargeIndex: 0,
        name: 'per call',
        quantity: '4',
        unit: 'calls',
        chargeMicros: 10_000n,
      },
    ]);
  });

  it('agrees with a slow model in fractions', () => {
    fc.assert(
      fc.property(usageCounts, ratedPrices, (usage, prices) => {
        expect(chargesOf(rateUsage(usage, prices))).toEqual(rateSlowly(usage, prices));
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives the same lines however the period is cut, and in whatever order it comes', () => {
    const cut = usageCounts.chain((usage) => fc.tuple(fc.constant(usage), cutAnew(usage)));
    fc.assert(
      fc.property(cut, ratedPrices, ([usage, pieces], prices) => {
        expect(rateUsage(pieces, prices)).toEqual(rateUsage(usage, prices));
      }),
      { numRuns: 1_000 },
    );
  });

  it('F55 counts tiers and free quantities of each price version on its own', () => {
    const [charge] = perCall.price.charges.map((one) => ({ ...one, free_quantity: '2' }));
    const price = { ...perCall.price, charges: charge ? [charge] : [] };
    const versions = new Map<string, RatedPrice>([
      ['search-1', { ...perCall, price }],
      ['search-2', { ...perCall, priceId: 'search-2', effectiveFromMs: 0, price }],
    ]);
    const lines = rateUsage([{ ...counted, priceId: 'search-2' }, counted], versions);
    expect(lines.map(({ priceId, chargeMicros }) => [priceId, chargeMicros])).toEqual([
      ['search-1', 2_500n],
      ['search-2', 2_500n],
    ]);
  });

  it('orders lines by period, consumer, tool, start of the price version and charge', () => {
    const [charge] = perCall.price.charges;
    const price = { ...perCall.price, charges: charge ? [charge, charge] : [] };
    const versions: RatedPrice[] = [
      { ...perCall, priceId: 'z', price },
      { ...perCall, priceId: 'a', effectiveFromMs: 7_200_000, price },
      { ...perCall, priceId: 'b', effectiveFromMs: 3_600_000, price },
      { ...perCall, priceId: 'y', toolId: 'answer', effectiveFromMs: 9_000_000_000, price },
    ];
    const prices = new Map(versions.map((version) => [version.priceId, version]));
    const usage = ['2026-11', '2026-10'].flatMap((period) =>
      ['d', 'c'].flatMap((consumerId) =>
        ['a', 'b', 'y', 'z'].map((priceId) => ({ ...counted, period, consumerId, priceId })),
      ),
    );
    const order = rateUsage(usage, prices).map((line) => lineKey(line));
    const expected = ['2026-10', '2026-11'].flatMap((period) =>
      ['c', 'd'].flatMap((consumerId) =>
        ['y', 'z', 'b', 'a'].flatMap((priceId) =>
          [0, 1].map((chargeIndex) => lineKey({ period, consumerId, priceId, chargeIndex })),
        ),
      ),
    );
    expect(order).toEqual(expected);
  });

  it('refuses usage under a price that it was not given, rather than leave money out', () => {
    expect(() => rateUsage([counted], new Map())).toThrow('search-1');
  });

  it('F43 lets nothing wrap or lose a digit', () => {
    const dear: RatedPrice = {
      ...perCall,
      price: {
        ...perCall.price,
        charges: [
          {
            name: null,
            metric: { type: 'metadata_sum', key: 'tokens' },
            model: { type: 'per_unit', unit_price_usd: '999999999999.999999999999' },
            free_quantity: '0',
          },
        ],
      },
    };
    const tokens = { ...counted, measures: new Map([['tokens', '999999999999999999.999999']]) };
    expect(rateUsage([tokens], only(dear)).map(({ chargeMicros }) => chargeMicros)).toEqual([
      10n ** 36n - 2n * 10n ** 12n, // (10¹⁸ − 10⁻⁶) × (10¹² − 10⁻¹²) USD
    ]);
  });
});
