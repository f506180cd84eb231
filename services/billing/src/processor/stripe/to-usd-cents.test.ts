import { describe, expect, it } from '@jest/globals';
import { toUsdCents } from './to-usd-cents.ts';

/**
 * Follows Stripe's page `api/balance_transactions/object`: amount in currency A × exchange_rate = amount in currency B.
 */
describe('cents of another currency', () => {
  it.each([
    ['as they are in US dollars', 59, { amount: 1_000, currency: 'usd' }, 1_000, 59n],
    ['at the rate of their transaction', 54, { amount: 920, currency: 'eur' }, 1_000, 59n], // 58.69…
    ['of a currency without cents', 90, { amount: 1_500, currency: 'jpy' }, 1_000, 60n],
    ['with halves rounded up', 1, { amount: 200, currency: 'eur' }, 100, 1n],
    ['below zero', -920, { amount: -920, currency: 'eur' }, 1_000, -1_000n],
    ['of a transaction of nothing', 5, { amount: 0, currency: 'eur' }, 1_000, 0n],
  ])('%s', (_what, cents, settled, usdCents, expected) => {
    expect(toUsdCents(cents, settled, usdCents)).toBe(expected);
  });
});
