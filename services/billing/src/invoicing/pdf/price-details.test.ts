import { describe, expect, it } from '@jest/globals';
import type { Charge } from '@tollgate/contracts/tools/price';
import { priceDetails } from './price-details.ts';

const tier = (upTo: string | null, unit: string, flat = '0') => ({
  up_to: upTo,
  unit_price_usd: unit,
  flat_price_usd: flat,
});
const charge: Charge = {
  name: null,
  metric: { type: 'calls' },
  model: { type: 'per_unit', unit_price_usd: '0.000002' },
  free_quantity: '0',
};
const tokens = { type: 'metadata_sum', key: 'tokens' } as const;
const eight = Array.from({ length: 8 }, (_, index) => tier(String((index + 1) * 1_000), '0.01'));

describe('what a charge costs', () => {
  it.each<[string, Partial<Charge>, string[]]>([
    ['per call', {}, ['USD 0.000002 per call']],
    [
      'per token, some free',
      { metric: tokens, free_quantity: '1000' },
      ['USD 0.000002 per unit of tokens', '1,000 tokens free'],
    ],
    ['one call free', { free_quantity: '1' }, ['USD 0.000002 per call', '1 call free']],
    [
      'packages',
      { model: { type: 'package', size: '1000', package_price_usd: '5' } },
      ['USD 5 per started 1,000 calls'],
    ],
    [
      'graduated tiers',
      { model: { type: 'graduated', tiers: [tier('1000', '0.01'), tier(null, '0.005', '2')] } },
      ['Each unit by its tier:', 'to 1,000: USD 0.01', 'beyond: USD 0.005 + USD 2 flat'],
    ],
    [
      'more tiers than are printed',
      { model: { type: 'volume', tiers: [...eight, tier(null, '0')] } },
      [
        'All units by the tier reached:',
        ...['1,000', '2,000', '3,000', '4,000', '5,000', '6,000'].map((end) => `to ${end}: USD 0.01`),
        'and 3 more tiers',
      ],
    ],
  ])('%s', (_, changes, rows) => {
    expect(priceDetails({ ...charge, ...changes })).toEqual(rows);
  });
});
