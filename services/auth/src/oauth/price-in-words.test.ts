import { expect, it } from '@jest/globals';
import type { Charge } from '@tollgate/contracts/tools/price';
import { priceInWords } from './price-in-words.ts';

const calls: Charge = {
  name: null,
  metric: { type: 'calls' },
  model: { type: 'per_unit', unit_price_usd: '0.002' },
  free_quantity: '0',
};
const tiers = [
  { up_to: '1000', unit_price_usd: '0.01', flat_price_usd: '0' },
  { up_to: null, unit_price_usd: '0.005', flat_price_usd: '2' },
];
const price = (...charges: Charge[]) => ({ currency: 'usd' as const, charges, bill_failed_calls: false });

it.each<[string, Charge[]]>([
  ['free', []],
  ['0.002 USD per call', [calls]],
  ['0.002 USD per call, the first 100 free', [{ ...calls, free_quantity: '100' }]],
  [
    '0.002 USD per call, and 0.002 USD per unit of tokens',
    [calls, { ...calls, metric: { type: 'metadata_sum', key: 'tokens' } }],
  ],
  [
    '5 USD per 1000 milliseconds begun',
    [{ ...calls, metric: { type: 'duration_ms' }, model: { type: 'package', size: '1000', package_price_usd: '5' } }],
  ],
  [
    '0.01 USD per call up to 1000, 0.005 USD per call and 2 USD once beyond',
    [{ ...calls, model: { type: 'graduated', tiers } }],
  ],
  [
    'by the month’s volume 0.01 USD per call up to 1000, 0.005 USD per call and 2 USD once beyond',
    [{ ...calls, model: { type: 'volume', tiers } }],
  ],
])('reads "%s"', (words, charges) => {
  expect(priceInWords(price(...charges))).toBe(words);
});

it('says that failed calls cost, too', () => {
  expect(priceInWords({ ...price(calls), bill_failed_calls: true })).toBe('0.002 USD per call; failed calls cost too');
});
