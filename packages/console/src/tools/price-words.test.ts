import { expect, it } from '@jest/globals';
import { priceInWords } from './price-words.ts';

type Price = Parameters<typeof priceInWords>[0];

const priceOf = (charge: object): Price =>
  ({
    currency: 'usd',
    bill_failed_calls: false,
    charges: [{ name: null, metric: { type: 'calls' }, free_quantity: '0', ...charge }],
  }) as Price;
const tiers = [
  { up_to: '1000', unit_price_usd: '0.002', flat_price_usd: '0' },
  { up_to: null, unit_price_usd: '0.001', flat_price_usd: '5' },
];

it.each([
  [{ model: { type: 'per_unit', unit_price_usd: '0.002' } }, '$0.002 per call'],
  [
    {
      name: 'tokens',
      metric: { type: 'metadata_sum', key: 'tokens' },
      model: { type: 'package', size: '1000', package_price_usd: '2' },
    },
    'tokens: $2.00 per 1,000 of tokens',
  ],
  [
    { free_quantity: '100', metric: { type: 'duration_ms' }, model: { type: 'graduated', tiers } },
    'in steps per millisecond: up to 1,000 $0.002, then $0.001 and $5.00 once, 100 free a month',
  ],
  [{ model: { type: 'volume', tiers } }, 'by volume per call: up to 1,000 $0.002, then $0.001 and $5.00 once'],
])('says the price %j in words', (charge, words) => {
  expect(priceInWords(priceOf(charge))).toEqual([words]);
});

it('says that a tool is free, and that failed calls are billed', () => {
  expect(priceInWords({ currency: 'usd', charges: [], bill_failed_calls: false })).toEqual(['free']);
  const price = priceOf({ model: { type: 'per_unit', unit_price_usd: '1' } });
  expect(priceInWords({ ...price, bill_failed_calls: true })).toEqual([
    '$1.00 per call',
    'failed calls are billed, too',
  ]);
});
