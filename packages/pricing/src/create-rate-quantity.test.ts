import { describe, expect, it } from '@jest/globals';
import type { Charge, PriceModel } from '@tollgate/contracts/tools/price';
import { parseDecimal } from '@tollgate/kernel/decimal';
import { formatUsd } from '@tollgate/kernel/money';
import fc from 'fast-check';
import { charges, decimalText } from '@tollgate/testkit/pricing/usage-arbitraries';
import { createRateQuantity } from './create-rate-quantity.ts';

const chargeOf = (model: PriceModel, freeQuantity = '0'): Charge => ({
  name: null,
  metric: { type: 'calls' },
  model,
  free_quantity: freeQuantity,
});
const usdFor = (charge: Charge, quantity: string) => formatUsd(createRateQuantity(charge)(parseDecimal(quantity)));

const tiers = [
  { up_to: '100', unit_price_usd: '0.1', flat_price_usd: '5' },
  { up_to: '1000', unit_price_usd: '0.08', flat_price_usd: '0' },
  { up_to: null, unit_price_usd: '0.05', flat_price_usd: '10' },
];

describe('graduated tiers', () => {
  it.each([
    ['0', '0'], // nothing is in any tier, so no flat price either
    ['0.000001', '5'], // 5.0000001
    ['1', '5.1'],
    ['99.999999', '15'], // 5 + 9.9999999
    ['100', '15'],
    ['100.000001', '15'], // 15 + 0.00000008
    ['101', '15.08'],
    ['1000', '87'],
    ['1000.000001', '97'], // 87 + 10 + 0.00000005
    ['1001', '97.05'],
    ['1000000', '50047'],
  ])('price %s at %s USD', (quantity, usd) => {
    expect(usdFor(chargeOf({ type: 'graduated', tiers }), quantity)).toBe(usd);
  });
});

describe('volume tiers', () => {
  it.each([
    ['0', '0'],
    ['1', '5.1'],
    ['100', '15'],
    ['100.000001', '8'], // the second tier has no flat price
    ['101', '8.08'],
    ['1000', '80'],
    ['1000.000001', '60'],
    ['1001', '60.05'],
  ])('price %s at %s USD', (quantity, usd) => {
    expect(usdFor(chargeOf({ type: 'volume', tiers }), quantity)).toBe(usd);
  });
});

it('refuses volume tiers that do not reach a quantity: it never prices it as nothing', () => {
  const ending = { type: 'volume' as const, tiers: tiers.slice(0, 2) };
  expect(() => usdFor(chargeOf(ending), '1000.000001')).toThrow('the last tier of a price has an end');
});

describe('packages', () => {
  it.each([
    ['0', '0'],
    ['0.000001', '3'],
    ['1000', '3'],
    ['1000.000001', '6'],
    ['2000', '6'],
    ['2001', '9'],
  ])('of 1,000 price %s at %s USD', (quantity, usd) => {
    const packages = chargeOf({ type: 'package', size: '1000', package_price_usd: '3' });
    expect(usdFor(packages, quantity)).toBe(usd);
  });

  it('may be smaller than one unit', () => {
    const packages = chargeOf({ type: 'package', size: '0.25', package_price_usd: '0.01' });
    expect(usdFor(packages, '1.1')).toBe('0.05');
  });
});

describe('a free quantity', () => {
  it.each([
    ['per unit', chargeOf({ type: 'per_unit', unit_price_usd: '2' }, '10'), '10', '0'],
    ['per unit', chargeOf({ type: 'per_unit', unit_price_usd: '2' }, '10'), '10.5', '1'],
    ['graduated', chargeOf({ type: 'graduated', tiers }, '10'), '10', '0'],
    ['graduated', chargeOf({ type: 'graduated', tiers }, '10'), '110', '15'],
    ['graduated', chargeOf({ type: 'graduated', tiers }, '10'), '111', '15.08'],
    ['volume', chargeOf({ type: 'volume', tiers }, '10'), '110', '15'],
    ['volume', chargeOf({ type: 'volume', tiers }, '10'), '111', '8.08'],
    ['package', chargeOf({ type: 'package', size: '1000', package_price_usd: '3' }, '10'), '10', '0'],
    ['package', chargeOf({ type: 'package', size: '1000', package_price_usd: '3' }, '10'), '1010', '3'],
    ['package', chargeOf({ type: 'package', size: '1000', package_price_usd: '3' }, '10'), '1011', '6'],
  ])('comes off before %s prices: %#', (_model, charge, quantity, usd) => {
    expect(usdFor(charge, quantity)).toBe(usd);
  });
});

describe('the one rounding', () => {
  it.each([
    ['0.000001', '1', '0.000001'],
    ['0.0000005', '1', '0'],
    ['0.0000005', '2', '0.000001'],
    ['0.0000005', '3', '0.000002'],
    ['0.0000005', '5', '0.000002'],
    ['0.0000005', '2000001', '1'],
    ['0.0000005', '2000003', '1.000002'],
    ['0.000000500001', '1', '0.000001'],
    ['0.000000000001', '500000', '0'],
    ['0.000000000001', '500001', '0.000001'],
  ])('F54 makes %s USD × %s calls %s USD', (unitPrice, quantity, usd) => {
    expect(usdFor(chargeOf({ type: 'per_unit', unit_price_usd: unitPrice }), quantity)).toBe(usd);
  });

  it('F54 comes after all tiers: halves of a micro-dollar in two of them make a whole one', () => {
    const halves = [
      { up_to: '1', unit_price_usd: '0.0000005', flat_price_usd: '0' },
      { up_to: null, unit_price_usd: '0', flat_price_usd: '0.0000005' },
    ];
    expect(usdFor(chargeOf({ type: 'graduated', tiers: halves }), '2')).toBe('0.000001');
  });
});

describe('more of anything', () => {
  const quantities = fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 9n }), fc.bigInt({ min: 0n, max: 10n ** 9n }))
    .map(([less, added]) => [decimalText(less, 6), decimalText(less + added, 6)] as const);

  it('never costs less, save in volume tiers', () => {
    const monotone = charges.filter(({ model }) => model.type !== 'volume');
    fc.assert(
      fc.property(monotone, quantities, (charge, [less, more]) => {
        const rateQuantity = createRateQuantity(charge);
        expect(rateQuantity(parseDecimal(more)) >= rateQuantity(parseDecimal(less))).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });
});
