import type { Charge, Price, PriceModel } from '@tollgate/contracts/tools/price';
import { normaliseDecimal } from '@tollgate/kernel/decimal';
import fc from 'fast-check';
import type { CountedUsage } from '@tollgate/pricing/counted-usage';
import type { RatedPrices } from '@tollgate/pricing/rated-price';

export function decimalText(units: bigint, scale: number): string {
  const digits = String(units).padStart(scale + 1, '0');
  return normaliseDecimal(scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`);
}

const scaled = (max: bigint, scale: number) => fc.bigInt({ min: 0n, max }).map((units) => decimalText(units, scale));

/** Ties are rare by chance, so odd multiples of half a micro-dollar come often. */
const unitPrices = fc.oneof(
  scaled(40n, 7),
  scaled(1_000n, 3),
  scaled(10n ** 12n, 12),
  scaled(10n ** 24n - 1n, 12),
  fc.constant('0'),
);

/** Near the quantities of `usageCounts`, whole and not, so that edges are met from both sides. */
const thresholds = fc.oneof(scaled(60n, 0), scaled(600n, 1), scaled(60_000_000n, 6), scaled(10n ** 24n - 1n, 12));
const positive = thresholds.filter((text) => text !== '0');

const tiers = fc
  .tuple(
    fc.uniqueArray(positive, { maxLength: 4 }),
    fc.array(fc.tuple(unitPrices, fc.oneof(fc.constant('0'), unitPrices)), { minLength: 5, maxLength: 5 }),
  )
  .map(([edges, pairs]) => {
    const ascending = [...edges.toSorted((a, b) => (scaleUp(a) < scaleUp(b) ? -1 : 1)), null];
    return ascending.map((upTo, index) => {
      const [unit, flat] = pairs[index] ?? ['0', '0'];
      return { up_to: upTo, unit_price_usd: unit, flat_price_usd: flat };
    });
  });

function scaleUp(text: string): bigint {
  const [whole = '', decimals = ''] = text.split('.');
  return BigInt(whole + decimals.padEnd(12, '0'));
}

const models: fc.Arbitrary<PriceModel> = fc.oneof(
  unitPrices.map((price): PriceModel => ({ type: 'per_unit', unit_price_usd: price })),
  tiers.map((list): PriceModel => ({ type: 'graduated', tiers: list })),
  tiers.map((list): PriceModel => ({ type: 'volume', tiers: list })),
  fc
    .tuple(positive, unitPrices)
    .map(([size, price]): PriceModel => ({ type: 'package', size, package_price_usd: price })),
);

export const charges: fc.Arbitrary<Charge> = fc.record({
  name: fc.constant(null),
  metric: fc.constantFrom(
    { type: 'calls' } as const,
    { type: 'duration_ms' } as const,
    { type: 'metadata_sum', key: 'tokens' } as const,
    { type: 'metadata_sum', key: '__proto__' } as const,
  ),
  model: models,
  free_quantity: fc.oneof(fc.constant('0'), thresholds),
});

const price: fc.Arbitrary<Price> = fc.record({
  currency: fc.constant('usd'),
  charges: fc.array(charges, { maxLength: 3 }),
  bill_failed_calls: fc.boolean(),
});

/** Two versions of one tool, one of another whose builder is a consumer too. */
export const ratedPrices: fc.Arbitrary<RatedPrices> = fc.tuple(price, price, price).map(
  ([first, second, other]) =>
    new Map([
      ['search-1', { ...searchTool, priceId: 'search-1', effectiveFromMs: null, price: first }],
      ['search-2', { ...searchTool, priceId: 'search-2', effectiveFromMs: 3_600_000, price: second }],
      ['answer-1', { ...answerTool, priceId: 'answer-1', effectiveFromMs: null, price: other }],
    ]),
);
const searchTool = { toolId: 'search', builderId: 'builder' };
const answerTool = { toolId: 'answer', builderId: 'consumer-b' };

const measures = fc
  .record({ tokens: scaled(60_000_000n, 6), ['__proto__']: scaled(60n, 0) }, { requiredKeys: [] })
  .map((record) => new Map(Object.entries(record)));

const usagePart: fc.Arbitrary<CountedUsage> = fc.record({
  period: fc.constantFrom('2026-10', '2026-11'),
  consumerId: fc.constantFrom('consumer-a', 'consumer-b'),
  priceId: fc.constantFrom('search-1', 'search-2', 'answer-1'),
  success: fc.boolean(),
  calls: fc.bigInt({ min: 1n, max: 40n }),
  durationMs: fc.oneof(fc.bigInt({ min: 0n, max: 40n }), fc.bigInt({ min: 0n, max: 10n ** 15n })),
  measures,
});

export const usageCounts = fc.array(usagePart, { maxLength: 12 });

/** The same usage cut otherwise: some cut in two, and those again, and all of them in another order. */
export function cutAnew(usage: readonly CountedUsage[]): fc.Arbitrary<CountedUsage[]> {
  const cuts = fc.array(fc.tuple(fc.nat(1_000), fc.bigInt({ min: 0n, max: 1_000n })), { maxLength: 20 });
  return cuts.chain((places) => {
    const pieces = [...usage];
    for (const [place, share] of places) {
      const [piece] = pieces.splice(place % (pieces.length || 1), 1);
      if (piece) pieces.push(...cutInTwo(piece, share));
    }
    return fc.shuffledSubarray(pieces, { minLength: pieces.length });
  });
}

/** `share` of 1,000 in the first piece, what that leaves in the second. */
function cutInTwo(counted: CountedUsage, share: bigint): [CountedUsage, CountedUsage] {
  const cut = (whole: bigint): bigint => (whole * share) / 1_000n;
  const [first, second] = [new Map<string, string>(), new Map<string, string>()];
  for (const [key, text] of counted.measures) {
    const micro = scaleUp(text) / 1_000_000n;
    first.set(key, decimalText(cut(micro), 6));
    second.set(key, decimalText(micro - cut(micro), 6));
  }
  return [
    { ...counted, calls: cut(counted.calls), durationMs: cut(counted.durationMs), measures: first },
    {
      ...counted,
      calls: counted.calls - cut(counted.calls),
      durationMs: counted.durationMs - cut(counted.durationMs),
      measures: second,
    },
  ];
}
