import { describe, expect, it } from '@jest/globals';
import { sumMicros } from '@tollgate/kernel/money';
import fc from 'fast-check';
import { lineKey, rateSlowly } from '@tollgate/testkit/pricing/rate-slowly';
import { ratedPrices, usageCounts } from '@tollgate/testkit/pricing/usage-arbitraries';
import type { RatedPrices } from './rated-price.ts';
import { rateOverTime, type TimedLine, type TimedUsage } from './rate-over-time.ts';
import { rateUsage } from './rate-usage.ts';

const timedUsage = usageCounts.chain((usage) =>
  fc
    .array(fc.nat(4), { minLength: usage.length, maxLength: usage.length })
    .map((starts) => usage.map((counted, index): TimedUsage => ({ ...counted, startMs: starts[index] ?? 0 }))),
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
const calls = (startMs: number, count: bigint): TimedUsage => ({
  period: '2026-11',
  consumerId: 'consumer',
  priceId: 'search-1',
  success: true,
  calls: count,
  durationMs: 0n,
  measures: new Map(),
  startMs,
});

function sumsByLine(rated: readonly TimedLine[]): Map<string, bigint> {
  const byLine = Map.groupBy(rated, (one) => lineKey(one));
  return new Map([...byLine].map(([key, rows]) => [key, sumMicros(rows.map(({ chargeMicros }) => chargeMicros))]));
}

describe('money over time', () => {
  it('adds up to the lines exactly, wherever the period is cut', () => {
    fc.assert(
      fc.property(timedUsage, ratedPrices, (usage, prices) => {
        const lines = new Map(rateUsage(usage, prices).map((line) => [lineKey(line), line.chargeMicros]));
        expect(sumsByLine(rateOverTime(usage, prices))).toEqual(lines);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is at every moment what the calls until then would be billed', () => {
    fc.assert(
      fc.property(timedUsage, fc.nat(5), ratedPrices, (usage, endMs, prices) => {
        const before = rateOverTime(usage, prices).filter(({ startMs }) => startMs < endMs);
        const billed = rateSlowly(
          usage.filter(({ startMs }) => startMs < endMs),
          prices,
        );
        expect(sumsByLine(before)).toEqual(billed);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is the same for the hours asked for, however what came before them is cut', () => {
    fc.assert(
      fc.property(timedUsage, fc.nat(5), ratedPrices, (usage, fromMs, prices) => {
        const asked = (rated: readonly TimedLine[]) => rated.filter(({ startMs }) => startMs >= fromMs);
        const asOne = usage.map((counted) => ({
          ...counted,
          startMs: counted.startMs < fromMs ? -1 : counted.startMs,
        }));
        expect(asked(rateOverTime(asOne, prices))).toEqual(asked(rateOverTime(usage, prices)));
      }),
      { numRuns: 500 },
    );
  });

  it('goes below 0 where a span reaches a cheaper volume tier', () => {
    const rated = rateOverTime([calls(2, 1n), calls(0, 8n), calls(1, 3n)], volumePrice);
    expect(rated.map(({ startMs, quantity, chargeMicros }) => [startMs, quantity, chargeMicros])).toEqual([
      [0, '8', 8_000_000n],
      [1, '3', -6_900_000n],
      [2, '1', 100_000n],
    ]);
  });

  it('begins anew with each period', () => {
    const december = { ...calls(2, 2n), period: '2026-12' };
    const rated = rateOverTime([calls(0, 8n), december], volumePrice);
    expect(rated.map(({ chargeMicros }) => chargeMicros)).toEqual([8_000_000n, 2_000_000n]);
  });
});
