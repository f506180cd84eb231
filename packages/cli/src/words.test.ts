import { expect, it } from '@jest/globals';
import type { Schemas } from '@tollgate/sdk';
import { approvalWords, capWords, forecastWords, passWords, priceWords } from './words.ts';

type Charge = Schemas['Price']['charges'][number];

const priceOf = (...charges: Partial<Charge>[]): Schemas['Price'] => ({
  currency: 'usd',
  charges: charges.map(
    (charge) => ({ name: null, metric: { type: 'calls' }, free_quantity: '0', ...charge }) as Charge,
  ),
  bill_failed_calls: false,
});
const tiers = [
  { up_to: '1000', unit_price_usd: '0', flat_price_usd: '5' },
  { up_to: null, unit_price_usd: '0.01', flat_price_usd: '0' },
];

it.each<[Schemas['Price'], string]>([
  [priceOf(), 'free'],
  [priceOf({ model: { type: 'per_unit', unit_price_usd: '0.002' } }), '0.002 USD per call'],
  [
    priceOf({ metric: { type: 'duration_ms' }, model: { type: 'per_unit', unit_price_usd: '1' }, free_quantity: '10' }),
    '1 USD per ms after 10 free',
  ],
  [
    priceOf(
      {
        metric: { type: 'metadata_sum', key: 'tokens' },
        model: { type: 'package', size: '1000', package_price_usd: '3' },
      },
      { model: { type: 'graduated', tiers } },
    ),
    '3 USD per package of 1000 (per unit of tokens) + 0 USD per call and 5 USD up to 1000, then 0.01 USD per call',
  ],
  [
    { ...priceOf({ model: { type: 'volume', tiers } }), bill_failed_calls: true },
    '0 USD per call and 5 USD up to 1000, or 0.01 USD per call, for all by the total, failed calls too',
  ],
])('says a price as people do', (price, words) => {
  expect(priceWords(price)).toBe(words);
});

it('says the limits of a pass as people do', () => {
  expect(capWords({ amount_usd: 5, window: 'day' })).toBe('5 USD a day');
  const none = { cap: null, per_call_max_usd: null, remaining_usd: null, expires_at: null };
  const pass = { ...none, tools: '*' } as Schemas['Pass'];
  expect(passWords(pass)).toEqual({
    tools: 'all',
    cap: 'none',
    per_call_max_usd: 'none',
    remaining_usd: 'no cap',
    expires_at: 'never',
  });
  expect(passWords({ ...pass, tools: ['a', 'b'], per_call_max_usd: 0.05, remaining_usd: 0 })).toMatchObject({
    tools: 'a b',
    per_call_max_usd: 0.05,
    remaining_usd: 0,
  });
});

it('says what is left of the cap that a call would exceed', () => {
  const approval = { id: 'one', cap: { amount_usd: 5, window: 'day', remaining_usd: 0.1 } } as Schemas['Approval'];
  expect(approvalWords(approval)).toEqual({ id: 'one', cap: '0.1 USD left of 5 USD a day' });
  expect(approvalWords({ ...approval, cap: null })).toEqual({ id: 'one', cap: 'none' });
});

const forecast: Schemas['Forecast'] = {
  period: '2026-11',
  through: '2026-11-11T06:00:00.000Z',
  spent_usd: 16,
  estimated_usd: 41.2,
  estimated_low_usd: 35,
  estimated_high_usd: 50.5,
  budget_usd: 30,
  budget_ends_on: '2026-11-19',
  history_days: 42,
  days: [],
};

it.each([
  [forecast, 'about 41.2 USD in 2026-11 (35 to 50.5 USD); the budget ends on 2026-11-19'],
  [{ ...forecast, budget_ends_on: null }, 'about 41.2 USD in 2026-11 (35 to 50.5 USD)'],
  [{ ...forecast, estimated_usd: null, history_days: 3 }, 'none yet: it takes 14 whole days of calls, and there are 3'],
])('says a forecast in a line: %#', (given, words) => {
  expect(forecastWords(given)).toBe(words);
});
