import { describe, expect, it } from '@jest/globals';
import { sumMicros } from '@tollgate/kernel/money';
import fc from 'fast-check';
import { lineKey, rateSlowly } from '@tollgate/testkit/pricing/rate-slowly';
import { ratedPrices, usageCounts } from '@tollgate/testkit/pricing/usage-arbitraries';
import { rateOverTime, type TimedLine, type TimedUsage } from './rate-over-time.ts';

const timedUsage = usageCounts.chain((usage) =>
  fc
    .array(fc.nat(4), { minLength: usage.length, maxLength: usage.length })
    .map((starts) => usage.map((counted, index): TimedUsage => ({ ...counted, startMs: starts[index] ?? 0 }))),
);

function sumsByLine(rated: readonly TimedLine[]): Map<string, bigint> {
  const byLine = Map.groupBy(rated, (one) => lineKey(one));
  return new Map([...byLine].map(([key, rows]) => [key, sumMicros(rows.map(({ chargeMicros }) => chargeMicros))]));
}

describe('money over time', () => {
  it('is at every moment, the end included, what the calls until then would be billed', () => {
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
});
