import { describe, expect, it } from '@jest/globals';
import { priceInForce } from './price-in-force.ts';
import type { RatedPrice } from './rated-price.ts';

const version = (priceId: string, from: string | null): RatedPrice => ({
  priceId,
  toolId: 'search',
  builderId: 'builder',
  effectiveFromMs: from === null ? null : Date.parse(from),
  price: { currency: 'usd', charges: [], bill_failed_calls: false },
});
const versions = [
  version('third', '2026-12-01T00:00:00Z'),
  version('first', null),
  version('second', '2026-11-11T15:00:00Z'),
];

describe('the price in force', () => {
  it.each([
    ['1970-01-01T00:00:00Z', 'first'],
    ['2026-11-11T14:00:00Z', 'first'],
    ['2026-11-11T15:00:00Z', 'second'],
    ['2026-11-30T23:00:00Z', 'second'],
    ['2026-12-01T00:00:00Z', 'third'],
    ['2036-01-01T00:00:00Z', 'third'],
  ])('F55 in the hour of %s is the %s', (hour, priceId) => {
    expect(priceInForce(versions, Date.parse(hour))?.priceId).toBe(priceId);
    expect(priceInForce(versions.toReversed(), Date.parse(hour))?.priceId).toBe(priceId);
  });
});
