import { describe, expect, it } from '@jest/globals';
import type { Charge, Price, PriceModel } from '@tollgate/contracts/tools/price';
import { multiplyDecimals, formatDecimal, parseDecimal } from '@tollgate/kernel/decimal';
import { charges as anyCharge } from '@tollgate/testkit/pricing/usage-arbitraries';
import fc from 'fast-check';
import { createRateQuantity } from './create-rate-quantity.ts';
import { neverCostsMore } from './never-costs-more.ts';

const atMonth = { beginsWithMonth: true };

function perUnit(unitPrice: string, rest: Partial<Charge> = {}): Charge {
  const model: PriceModel = { type: 'per_unit', unit_price_usd: unitPrice };
  return { name: null, metric: { type: 'calls' }, model, free_quantity: '0', ...rest };
}

function priceOf(...charges: Charge[]): Price {
  return { currency: 'usd', charges, bill_failed_calls: false };
}

function tiered(type: 'graduated' | 'volume', prices: readonly (readonly [string | null, string, string])[]): Charge {
  const tiers = prices.map(([up, unit, flat]) => ({ up_to: up, unit_price_usd: unit, flat_price_usd: flat }));
  return perUnit('0', { model: { type, tiers } });
}

describe('a price version that never costs more', () => {
  const dollar = priceOf(perUnit('1'));
  const tiers = priceOf(
    tiered('graduated', [
      ['10', '1', '0'],
      [null, '0.5', '2'],
    ]),
  );
  const volume = tiered('volume', [
    ['10', '1', '0'],
    [null, '0.1', '0'],
  ]);
  const packages = (size: string, price: string) =>
    priceOf(perUnit('0', { model: { type: 'package', size, package_price_usd: price } }));

  it.each<[string, Price, Price]>([
    ['the same price', dollar, dollar],
    ['a lower price', priceOf(perUnit('0.999999999999')), dollar],
    ['no charge', priceOf(), dollar],
    ['a larger free quantity', priceOf(perUnit('1', { free_quantity: '5' })), dollar],
    ['one charge of two', dollar, priceOf(perUnit('2'), perUnit('1'))],
    ['charges in another order', priceOf(perUnit('2'), perUnit('1')), priceOf(perUnit('1'), perUnit('2'))],
    ['the same tiers, at the start of a month', tiers, tiers],
    ['larger packages for less', packages('20', '1'), packages('10', '2')],
  ])('is %s', (_what, next, now) => {
    expect(neverCostsMore(next, now, atMonth)).toBe(true);
  });

  it.each<[string, Price, Price]>([
    ['a higher price', priceOf(perUnit('1.000000000001')), dollar],
    ['a first charge', dollar, priceOf()],
    ['the same charge twice', priceOf(perUnit('1'), perUnit('1')), dollar],
    ['a smaller free quantity', dollar, priceOf(perUnit('1', { free_quantity: '1' }))],
    ['another metric', priceOf(perUnit('1', { metric: { type: 'duration_ms' } })), dollar],
    ['failed calls', { ...dollar, bill_failed_calls: true }, dollar],
    [
      'a higher flat price',
      priceOf(
        tiered('graduated', [
          ['10', '1', '0'],
          [null, '0.5', '3'],
        ]),
      ),
      tiers,
    ],
    [
      'a later end of a dear tier',
      priceOf(
        tiered('graduated', [
          ['11', '1', '0'],
          [null, '0.5', '2'],
        ]),
      ),
      tiers,
    ],
    ['a free quantity before volume tiers', priceOf({ ...volume, free_quantity: '5' }), priceOf(volume)], // 12 calls
    ['smaller packages', packages('9', '2'), packages('10', '2')],
  ])('is not one with %s', (_what, next, now) => {
    expect(neverCostsMore(next, now, atMonth)).toBe(false);
  });

  it('is none with tiers that count from zero again within a month', () => {
    expect(neverCostsMore(tiers, tiers, { beginsWithMonth: false })).toBe(false);
    expect(neverCostsMore(dollar, dollar, { beginsWithMonth: false })).toBe(true);
  });

  it('costs at most the same for every quantity', () => {
    const lowered = fc.tuple(anyCharge, fc.constantFrom('0', '0.5', '1'), fc.boolean());
    fc.assert(
      fc.property(
        lowered,
        anyCharge,
        fc.bigInt({ min: 0n, max: 10n ** 9n }),
        ([now, factor, isFreer], other, units) => {
          const lower = lowerBy(now, factor, isFreer);
          const quantity = parseDecimal(formatDecimal({ units, scale: 3 }).replace(/\.?0+$/, '') || '0');
          const costsMore = [lower, other]
            .filter((next) => neverCostsMore(priceOf(next), priceOf(now), atMonth))
            .filter((next) => createRateQuantity(next)(quantity) > createRateQuantity(now)(quantity));
          expect(costsMore).toEqual([]);
          expect(isFreer || neverCostsMore(priceOf(lower), priceOf(now), atMonth)).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

/** The charge with each amount times `factor`, and a free quantity in place of none. */
function lowerBy(charge: Charge, factor: string, isFreer: boolean): Charge {
  const less = (amount: string) => formatDecimal(multiplyDecimals(parseDecimal(amount), parseDecimal(factor)));
  const { model } = charge;
  const free = isFreer && charge.free_quantity === '0' ? '7' : charge.free_quantity;
  switch (model.type) {
    case 'per_unit':
      return { ...charge, free_quantity: free, model: { ...model, unit_price_usd: less(model.unit_price_usd) } };
    case 'package':
      return { ...charge, free_quantity: free, model: { ...model, package_price_usd: less(model.package_price_usd) } };
    default: {
      const tiers = model.tiers.map((tier) => ({
        ...tier,
        unit_price_usd: less(tier.unit_price_usd),
        flat_price_usd: less(tier.flat_price_usd),
      }));
      return { ...charge, free_quantity: free, model: { ...model, tiers } };
    }
  }
}
