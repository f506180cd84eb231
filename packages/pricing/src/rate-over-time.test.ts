import { describe, expect, it } from '@jest/globals';
import { sumMicros } from '@tollgate/kernel/money';
import fc from 'fast-check';
import { lineKey, rateSlowly } from '@tollgate/testkit/pricing/rate-slowly';
import { ratedPrices, usageCounts } from '@tollgate/testkit/pricing/usage-arbitraries';
import type { RatedPrice } from './rated-price.ts';
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

const dollarFrom3On: RatedPrice = {
  priceId: 'p',
  toolId: 'search',
  builderId: 'builder',
  effectiveFromMs: null,
  price: {
    currency: 'usd',
    charges: [
      { name: null, metric: { type: 'calls' }, model: { type: 'per_unit', unit_price_usd: '1' }, free_quantity: '3' },
    ],
    bill_failed_calls: false,
  },
};
const callsAt = (startMs: number, calls: bigint): TimedUsage => ({
  startMs,
  calls,
  period: '2026-11',
  consumerId: 'consumer',
  priceId: 'p',
  success: true,
  durationMs: 0n,
  measures: new Map(),
});

describe('money over time', () => {
  it('charges the later calls, in whatever order the spans are given, and has no line of a span without calls', () => {
    const usage = [callsAt(9, 2n), callsAt(1, 3n), callsAt(5, 0n)];
    const rated = rateOverTime(usage, new Map([['p', dollarFrom3On]]));
    expect(rated.map(({ startMs, chargeMicros }) => [startMs, chargeMicros])).toEqual([
      [1, 0n],
      [9, 2_000_000n],
    ]);
  });

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

  it('F96 adds up to the same span, however it is divided by pass', () => {
    const passes = fc.infiniteStream(fc.constantFrom(undefined, 'b', 'a'));
    fc.assert(
      fc.property(timedUsage, passes, ratedPrices, (usage, passOf, prices) => {
        const divided = usage.map((counted) => ({ ...counted, passId: passOf.next().value as string | undefined }));
        const spansOf = (rated: readonly TimedLine[]) =>
          sumsByLine(rated.map((line) => ({ ...line, priceId: `${line.priceId} ${line.startMs}` })));
        const whole = spansOf(rateOverTime(usage, prices));
        const parts = rateOverTime(divided, prices);
        for (const [span, charge] of spansOf(parts)) expect(charge).toBe(whole.get(span));
        expect(sumsByLine(parts)).toEqual(sumsByLine(rateOverTime(usage, prices)));
      }),
      { numRuns: 500 },
    );
  });

  it('F96 rates the passes of a span in the order of their ids, after the calls without one', () => {
    const usage = ['b', undefined, 'a'].map((passId) => ({ ...callsAt(1, 2n), passId }));
    const rated = rateOverTime([...usage, { ...callsAt(0, 1n), passId: 'z' }], new Map([['p', dollarFrom3On]]));
    expect(rated.map(({ startMs, passId, chargeMicros }) => [startMs, passId, chargeMicros])).toEqual([
      [0, 'z', 0n],
      [1, undefined, 0n],
      [1, 'a', 2_000_000n],
      [1, 'b', 2_000_000n],
    ]);
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
