import { describe, expect, it } from '@jest/globals';
import type { Charge, PriceModel } from '@tollgate/contracts/tools/price';
import { addDecimals, parseDecimal, type Decimal } from '@tollgate/kernel/decimal';
import { charges } from '@tollgate/testkit/pricing/usage-arbitraries';
import fc from 'fast-check';
import { createBoundCharge } from './bound-charge.ts';
import { createRateQuantity } from './create-rate-quantity.ts';

const metricOf = { calls: { type: 'calls' }, tokens: { type: 'metadata_sum', key: 'tokens' } } as const;

function chargeOf(model: PriceModel, rest: Partial<Charge> = {}): Charge {
  return { name: null, metric: metricOf.calls, model, free_quantity: '0', ...rest };
}

function tiered(type: 'graduated' | 'volume', tiers: readonly (readonly [string | null, string, string])[]): Charge {
  return chargeOf({
    type,
    tiers: tiers.map(([up, unit, flat]) => ({ up_to: up, unit_price_usd: unit, flat_price_usd: flat })),
  });
}

function boundOf(charge: Charge, added: string): bigint {
  return createBoundCharge(charge)(parseDecimal(added));
}

/** Quantities that a charge can have: whole, or with six decimals where it sums a key. They often lie at its edges. */
function quantitiesOf({ metric, model, free_quantity: free }: Charge): fc.Arbitrary<Decimal> {
  const scale = metric.type === 'metadata_sum' ? 6 : 0;
  const step = 10n ** BigInt(scale);
  const edges = 'tiers' in model ? model.tiers.flatMap(({ up_to: upTo }) => (upTo === null ? [] : [upTo])) : [];
  const near = [...edges, free, '0'].map((text) => {
    const edge = addDecimals(parseDecimal(text), parseDecimal(free));
    return edge.scale <= scale
      ? edge.units * 10n ** BigInt(scale - edge.scale)
      : edge.units / 10n ** BigInt(edge.scale - scale);
  });
  return fc
    .oneof(
      fc.bigInt({ min: 0n, max: 80n * step }),
      fc
        .tuple(fc.constantFrom(...near), fc.bigInt({ min: -2n, max: 2n }))
        .map(([at, by]) => (at + by < 0n ? 0n : at + by)),
    )
    .map((units) =>
      parseDecimal(scale === 0 ? `${units}` : `${units / step}.${String(units % step).padStart(scale, '0')}`),
    );
}

const cases = charges.chain((charge) => {
  const quantities = quantitiesOf(charge);
  return fc.tuple(fc.constant(charge), quantities, quantities, quantities);
});

describe('the bound of a charge', () => {
  it('is at least what the charge rises by, for every quantity before and every part of what is added', () => {
    fc.assert(
      fc.property(cases, ([charge, before, part, rest]) => {
        const rate = createRateQuantity(charge);
        const rise = rate(addDecimals(before, part)) - rate(before);
        expect(createBoundCharge(charge)(addDecimals(part, rest))).toBeGreaterThanOrEqual(rise);
      }),
      { numRuns: 20_000 },
    );
  });

  it('is for two quantities together at most the sum of their bounds', () => {
    fc.assert(
      fc.property(cases, ([charge, left, right]) => {
        const bound = createBoundCharge(charge);
        expect(bound(addDecimals(left, right))).toBeLessThanOrEqual(bound(left) + bound(right));
      }),
      { numRuns: 5_000 },
    );
  });

  it.each<[string, Charge, string, bigint]>([
    [
      'exact, where a call has a price of whole micro-dollars',
      chargeOf({ type: 'per_unit', unit_price_usd: '0.01' }),
      '1',
      10_000n,
    ],
    [
      'one more, where rounding both ends can add one',
      chargeOf({ type: 'per_unit', unit_price_usd: '0.0000005' }),
      '2',
      2n,
    ],
    ['0 for nothing', chargeOf({ type: 'per_unit', unit_price_usd: '5' }), '0', 0n],
    ['a whole package', chargeOf({ type: 'package', size: '100', package_price_usd: '3' }), '1', 3_000_000n],
    [
      'the dearest tier and the flat price that it begins with',
      tiered('graduated', [
        ['10', '1', '0'],
        [null, '2', '5'],
      ]),
      '1',
      7_000_000n,
    ],
    [
      'the whole quantity that a dearer volume tier takes along',
      tiered('volume', [
        ['10', '1', '0'],
        [null, '2', '0'],
      ]),
      '1',
      12_000_000n,
    ],
    [
      'never below 0, where a cheaper tier lowers the bill',
      tiered('volume', [
        ['10', '0', '4'],
        [null, '0', '1'],
      ]),
      '1',
      4_000_000n,
    ],
  ])('is %s', (_what, charge, added, bound) => {
    expect(boundOf(charge, added)).toBe(bound);
  });
});
