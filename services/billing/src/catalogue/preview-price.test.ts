import { describe, expect, it } from '@jest/globals';
import { previewPriceSchema } from '@tollgate/contracts/tools/price-preview';
import { formatUsd } from '@tollgate/kernel/money';
import { previewPrice } from './preview-price.ts';

/** The sum of each quantity, in dollars. The tests compute theirs by hand. */
function sumsOf(price: object, quantities: readonly object[]): string[] {
  const parsed = previewPriceSchema.parse({ price, quantities });
  return previewPrice(parsed.price, parsed.quantities).map(({ chargeMicros }) => formatUsd(chargeMicros));
}

const full = (...charges: object[]) => ({ currency: 'usd', charges });
const byCalls = (model: object, more: object = {}) => full({ metric: { type: 'calls' }, model, ...more });
const calls = (...counts: number[]) => counts.map((count) => ({ calls: count }));
const tiers = [
  { up_to: '100', unit_price_usd: '0.01', flat_price_usd: '1' },
  { up_to: '1000', unit_price_usd: '0.005' },
  { up_to: null, unit_price_usd: '0.001', flat_price_usd: '2' },
];

describe('F54 a preview is exact', () => {
  it('per unit, in short and in full, to the micro-dollar, ties to the even one', () => {
    expect(sumsOf({ per_call_usd: '0.002' }, calls(0, 10, 1_000, 100_000))).toEqual(['0', '0.02', '2', '200']);
    const half = { type: 'per_unit', unit_price_usd: '0.0000005' };
    expect(sumsOf(byCalls(half), calls(1, 2, 3))).toEqual(['0', '0.000001', '0.000002']);
  });

  it('graduated: each tier prices its part', () => {
    const price = byCalls({ type: 'graduated', tiers });
    expect(sumsOf(price, calls(0, 1, 100, 101, 1_000, 2_000))).toEqual(['0', '1.01', '2', '2.005', '6.5', '9.5']);
  });

  it('volume: the tier that is reached prices all', () => {
    const price = byCalls({ type: 'volume', tiers });
    expect(sumsOf(price, calls(100, 101, 1_000, 1_001))).toEqual(['2', '0.505', '5', '3.001']);
  });

  it('package: each that is begun, after what is free', () => {
    const price = byCalls({ type: 'package', size: '100', package_price_usd: '0.3' }, { free_quantity: '50' });
    expect(sumsOf(price, calls(50, 51, 150, 151))).toEqual(['0', '0.3', '0.3', '0.6']);
  });

  it('of durations and of sums of metadata, each charge a line', () => {
    const perUnit = (unit_price_usd: string) => ({ type: 'per_unit', unit_price_usd });
    const price = full(
      { name: 'time', metric: { type: 'duration_ms' }, model: perUnit('0.000001') },
      { metric: { type: 'metadata_sum', key: 'tokens' }, model: perUnit('0.00002') },
    );
    const quantities = [{ calls: 3, duration_ms: 1_500, measures: { tokens: '1000.5' } }, { calls: 3 }];
    expect(sumsOf(price, quantities)).toEqual(['0.02151', '0']);
    const parsed = previewPriceSchema.parse({ price, quantities });
    expect(previewPrice(parsed.price, parsed.quantities)[0]?.lines).toMatchObject([
      { name: 'time', quantity: '1500', unit: 'ms', chargeMicros: 1_500n },
      { name: null, quantity: '1000.5', unit: 'tokens', chargeMicros: 20_010n },
    ]);
  });

  it('beyond what a double holds', () => {
    const price = { per_call_usd: '999999999.000001' };
    expect(sumsOf(price, calls(999_999_999_999))).toEqual(['999999998999001000000.999999']);
  });
});
