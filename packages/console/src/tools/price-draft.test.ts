import { expect, it } from '@jest/globals';
import type { Schemas } from '@tollgate/sdk/edge';
import { draftOf, emptyCharge, exampleQuantities, timesTen, toPriceInput } from './price-draft.ts';

const price: Schemas['Price'] = {
  currency: 'usd',
  charges: [
    {
      name: null,
      metric: { type: 'calls' },
      model: { type: 'per_unit', unit_price_usd: '0.002' },
      free_quantity: '100',
    },
    {
      name: 'Tokens',
      metric: { type: 'metadata_sum', key: 'tokens' },
      model: { type: 'package', size: '1000', package_price_usd: '2' },
      free_quantity: '0',
    },
    {
      name: null,
      metric: { type: 'duration_ms' },
      model: {
        type: 'graduated',
        tiers: [
          { up_to: '1000', unit_price_usd: '0.001', flat_price_usd: '0' },
          { up_to: null, unit_price_usd: '0.0005', flat_price_usd: '5' },
        ],
      },
      free_quantity: '0',
    },
  ],
  bill_failed_calls: true,
};

it('begins with the price in force, and sends the same where nothing was typed', () => {
  const sent = toPriceInput(draftOf(price));
  expect(sent).toMatchObject({ currency: 'usd', bill_failed_calls: true });
  const without = (text: string) =>
    JSON.parse(text.replace(/,"(flat_price_usd|free_quantity)":"0"|"name":null,/g, '')) as object;
  expect(sent).toEqual(without(JSON.stringify(price)));
});

it('has worked examples of 10, 1,000 and 100,000 calls, with what each call uses', () => {
  const tokens = { ...emptyCharge, metric: 'metadata_sum', key: 'tokens', perCall: '12.5' } as const;
  const duration = { ...emptyCharge, metric: 'duration_ms', perCall: '80' } as const;
  expect(exampleQuantities({ charges: [emptyCharge, tokens, duration], billFailed: false })).toEqual([
    { calls: 10, duration_ms: 800, measures: { tokens: '125' } },
    { calls: 1_000, duration_ms: 80_000, measures: { tokens: '12500' } },
    { calls: 100_000, duration_ms: 8_000_000, measures: { tokens: '1250000' } },
  ]);
  expect(exampleQuantities({ charges: [emptyCharge], billFailed: false })[0]).toEqual({ calls: 10 });
});

it.each([
  ['0.0025', 3, '2.5'],
  ['0.1', 1, '1'],
  ['7', 5, '700000'],
  ['0', 5, '0'],
  ['many', 3, 'many'],
])('moves the point of %s by %i to %s', (decimal, zeros, moved) => {
  expect(timesTen(decimal, zeros)).toBe(moved);
});
