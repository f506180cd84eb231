import { describe, expect, it } from '@jest/globals';
import { sumMicros } from '@tollgate/kernel/money';
import fc from 'fast-check';
import { lineKey, rateSlowly } from '../../../services/billing/test/support/rate-slowly.ts';
import { ratedPrices, usageParts } from '../../../services/billing/test/support/usage-arbitraries.ts';
import type { RatedPrices } from './rated-price.ts';
import { rateSlices, type LineSlice, type UsageSlice } from './rate-slices.ts';
import { rateUsage } from './rate-usage.ts';

const slices = usageParts.chain((parts) =>
  fc
    .array(fc.nat(4), { minLength: parts.length, maxLength: parts.length })
    .map((starts) => parts.map((part, index): UsageSlice => ({ ...part, startMs: starts[index] ?? 0 }))),
);

/** Volume: dear to 10 calls, then all of them cheap. */
const volumePrice: RatedPrices = new Map([
  [
    'search-1',
    {
      priceId: 'search-1',
      toolId: 'search',
      builderId: 'builder',
      effectiveFromMs: null,
      price: {
        currency: 'usd',
        charges: [
          {
            name: null,
            metric: { type: 'calls' },
            model: {
              type: 'volume',
              tiers: [
                { up_to: '10', unit_price_usd: '1', flat_price_usd: '0' },
                { up_to: null, unit_price_usd: '0.1', flat_price_usd: '0' },
              ],
            },
            free_quantity: '0',
          },
        ],
        bill_failed_calls: false,
      },
    },
  ],
]);
const calls = (startMs: number, count: bigint): UsageSlice => ({
  period: '2026-11',
  consumerId: 'consumer',
  priceId: 'search-1',
  success: true,
  calls: count,
  durationMs: 0n,
  measures: new Map(),
  startMs,
});

function sumsByLine(rated: readonly LineSlice[]): Map<string, bigint> {
  const byLine = Map.groupBy(rated, (slice) => lineKey(slice));
  return new Map([...byLine].map(([key, rows]) => [key, sumMicros(rows.map(({ chargeMicros }) => chargeMicros))]));
}

describe('money of slices', () => {
  it('adds up to the lines exactly, wherever the period is cut', () => {
    fc.assert(
      fc.property(slices, ratedPrices, (parts, prices) => {
        const lines = new Map(rateUsage(parts, prices).map((line) => [lineKey(line), line.chargeMicros]));
        expect(sumsByLine(rateSlices(parts, prices))).toEqual(lines);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is at every moment what the calls until then would be billed', () => {
    fc.assert(
      fc.property(slices, fc.nat(5), ratedPrices, (parts, endMs, prices) => {
        const before = rateSlices(parts, prices).filter(({ startMs }) => startMs < endMs);
        const billed = rateSlowly(
          parts.filter(({ startMs }) => startMs < endMs),
          prices,
        );
        expect(sumsByLine(before)).toEqual(billed);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is the same for the hours asked for, however what came before them is cut', () => {
    fc.assert(
      fc.property(slices, fc.nat(5), ratedPrices, (parts, fromMs, prices) => {
        const asked = (rated: readonly LineSlice[]) => rated.filter(({ startMs }) => startMs >= fromMs);
        const asOne = parts.map((part) => ({ ...part, startMs: part.startMs < fromMs ? -1 : part.startMs }));
        expect(asked(rateSlices(asOne, prices))).toEqual(asked(rateSlices(parts, prices)));
      }),
      { numRuns: 500 },
    );
  });

  it('goes below 0 where a slice reaches a cheaper volume tier', () => {
    const rated = rateSlices([calls(2, 1n), calls(0, 8n), calls(1, 3n)], volumePrice);
    expect(rated.map(({ startMs, quantity, chargeMicros }) => [startMs, quantity, chargeMicros])).toEqual([
      [0, '8', 8_000_000n],
      [1, '3', -6_900_000n],
      [2, '1', 100_000n],
    ]);
  });

  it('begins anew with each period', () => {
    const december = { ...calls(2, 2n), period: '2026-12' };
    const rated = rateSlices([calls(0, 8n), december], volumePrice);
    expect(rated.map(({ chargeMicros }) => chargeMicros)).toEqual([8_000_000n, 2_000_000n]);
  });
});
