import { describe, expect, it } from '@jest/globals';
import type { Charge, Price } from '@tollgate/contracts/tools/price';
import { charges, decimalText } from '@tollgate/testkit/pricing/usage-arbitraries';
import { rateSlowly } from '@tollgate/testkit/pricing/rate-slowly';
import fc from 'fast-check';
import { boundInLine, boundLine, isLinear } from './bound-line.ts';
import type { LineQuantities } from './quantity-of.ts';

const prices: fc.Arbitrary<Price> = fc.record({
  currency: fc.constant('usd'),
  charges: fc.array(charges, { minLength: 1, maxLength: 3 }),
  bill_failed_calls: fc.boolean(),
});

const amounts = fc.oneof(fc.bigInt({ min: 0n, max: 12n }), fc.bigInt({ min: 0n, max: 60n }));
const measures = fc
  .record({
    tokens: fc.bigInt({ min: 0n, max: 40_000_000n }).map((units) => decimalText(units, 6)),
    ['__proto__']: amounts.map(String),
  })
  .map((record) => new Map(Object.entries(record)));
const calls: fc.Arbitrary<LineQuantities> = fc.record({ calls: fc.constant(1n), durationMs: amounts, measures });
const before: fc.Arbitrary<LineQuantities> = fc.record({ calls: amounts, durationMs: amounts, measures });
const nothing: LineQuantities = { calls: 0n, durationMs: 0n, measures: new Map() };

/** The charge of these quantities by the price list. */
function rated(price: Price, { calls: count, durationMs, measures: sums }: LineQuantities): bigint {
  const version = { priceId: 'p', toolId: 't', builderId: 'b', effectiveFromMs: null, price };
  const usage = {
    period: '2026-11',
    consumerId: 'c',
    priceId: 'p',
    success: true,
    calls: count,
    durationMs,
    measures: sums,
  };
  return [...rateSlowly([usage], new Map([['p', version]])).values()].reduce((sum, charge) => sum + charge, 0n);
}

function plus(left: LineQuantities, right: LineQuantities): LineQuantities {
  const sums = new Map(left.measures);
  for (const [key, by] of right.measures) sums.set(key, decimalText(millionths(sums.get(key)) + millionths(by), 6));
  return { calls: left.calls + right.calls, durationMs: left.durationMs + right.durationMs, measures: sums };
}

function millionths(text = '0'): bigint {
  const [whole = '', decimals = ''] = text.split('.');
  return BigInt(whole + decimals.padEnd(6, '0'));
}

const sumOf = (all: readonly LineQuantities[]): LineQuantities => all.reduce(plus, nothing);

/** The part of each call that happens in the end: nothing, all of it, or some of its duration and its measures. */
const outcomes = fc.array(fc.constantFrom('none', 'all', 'part'), { minLength: 6, maxLength: 6 });

function happened(call: LineQuantities, outcome: string | undefined): LineQuantities {
  if (outcome === 'none') return nothing;
  if (outcome === 'all') return call;
  const half = [...call.measures].map(([key, text]) => [key, decimalText(millionths(text) / 2n, 6)] as const);
  return { ...call, durationMs: call.durationMs / 2n, measures: new Map(half) };
}

describe('the bound of a line', () => {
  it('is at least what calls in flight add together, in any order and whatever part of them happens', () => {
    const cases = fc.tuple(prices, before, fc.array(calls, { minLength: 1, maxLength: 6 }), outcomes);
    fc.assert(
      fc.property(cases, ([price, settled, inFlight, ends]) => {
        const line = { settled, inFlight: sumOf(inFlight), alone: null };
        const start = rated(price, settled);
        let at = settled;
        inFlight.forEach((call, index) => {
          at = plus(at, happened(call, ends[index]));
          expect(boundLine(price, line)).toBeGreaterThanOrEqual(rated(price, at) - start);
        });
      }),
      { numRuns: 4_000 },
    );
  });

  it('never rises together with what is spent while calls are settled', () => {
    const cases = fc.tuple(prices, before, fc.array(calls, { minLength: 1, maxLength: 6 }), outcomes);
    fc.assert(
      fc.property(cases, ([price, settled, inFlight, ends]) => {
        let [at, total] = [settled, rated(price, settled) + boundLine(price, lineOf(settled, inFlight))];
        inFlight.forEach((call, index) => {
          at = plus(at, happened(call, ends[index]));
          const after = rated(price, at) + boundLine(price, lineOf(at, inFlight.slice(index + 1)));
          expect(after).toBeLessThanOrEqual(total);
          total = after;
        });
      }),
      { numRuns: 4_000 },
    );
  });

  it('is what a single call of known quantities adds, if it adds anything', () => {
    fc.assert(
      fc.property(prices, before, calls, (price, settled, call) => {
        const rise = rated(price, plus(settled, call)) - rated(price, settled);
        expect(boundLine(price, { settled, inFlight: call, alone: 'known' })).toBe(rise > 0n ? rise : 0n);
      }),
      { numRuns: 4_000 },
    );
  });

  it('is for a single call the most that it can add, and some quantities add it', () => {
    const whole = fc.record({
      calls: fc.constant(1n),
      durationMs: fc.bigInt({ min: 0n, max: 9n }),
      measures: fc.constant(new Map()),
    });
    fc.assert(
      fc.property(prices, before, whole, (price, settled, call) => {
        const rises = Array.from({ length: Number(call.durationMs) + 1 }, (_, ms) => {
          return rated(price, plus(settled, { ...call, durationMs: BigInt(ms) })) - rated(price, settled);
        });
        const most = rises.reduce((top, rise) => (rise > top ? rise : top), 0n);
        expect(boundLine(price, { settled, inFlight: call, alone: 'one' })).toBe(most);
      }),
      { numRuns: 4_000 },
    );
  });
});

describe('the bound of one call among others', () => {
  it('is at least what it adds, wherever it is counted', () => {
    const cases = fc.tuple(prices, before, fc.array(calls, { maxLength: 5 }), calls, outcomes);
    fc.assert(
      fc.property(cases, ([price, settled, others, call, ends]) => {
        const bound = boundInLine(price, lineOf(settled, [...others, call]), call);
        let at = settled;
        for (const [index, other] of [...others, nothing].entries()) {
          expect(bound).toBeGreaterThanOrEqual(rated(price, plus(at, call)) - rated(price, at));
          at = plus(at, happened(other, ends[index]));
        }
      }),
      { numRuns: 4_000 },
    );
  });
});

function lineOf(settled: LineQuantities, inFlight: readonly LineQuantities[]) {
  return { settled, inFlight: sumOf(inFlight), alone: null };
}

describe('of shapes that step or fall', () => {
  const perCall = (charge: Partial<Charge>): Price => ({
    currency: 'usd',
    bill_failed_calls: false,
    charges: [
      {
        name: null,
        metric: { type: 'calls' },
        model: { type: 'per_unit', unit_price_usd: '0.01' },
        free_quantity: '0',
        ...charge,
      },
    ],
  });
  const ofCalls = (count: bigint): LineQuantities => ({ ...nothing, calls: count });
  const rise = (price: Price, settled: bigint, inFlight: bigint): bigint =>
    boundLine(price, { settled: ofCalls(settled), inFlight: ofCalls(inFlight), alone: null });

  it.each<[string, bigint, bigint, bigint]>([
    ['the free calls are free', 0n, 1_000n, 0n],
    ['the call after them is not', 0n, 1_001n, 10_000n],
    ['nor are those after that', 1_000n, 3n, 30_000n],
  ])('of 1,000 free, then 0.01: %s', (_what, settled, inFlight, bound) => {
    expect(rise(perCall({ free_quantity: '1000' }), settled, inFlight)).toBe(bound);
  });

  it('a package that is paid holds nothing more until it is used up', () => {
    const price = perCall({ model: { type: 'package', size: '5', package_price_usd: '3' } });
    expect([rise(price, 0n, 1n), rise(price, 0n, 5n), rise(price, 1n, 4n), rise(price, 4n, 2n)]).toEqual([
      3_000_000n,
      3_000_000n,
      0n,
      3_000_000n,
    ]);
  });

  it('a volume tier that is cheaper makes no call before it cheaper', () => {
    const tiers = [
      { up_to: '10', unit_price_usd: '1', flat_price_usd: '0' },
      { up_to: null, unit_price_usd: '0.1', flat_price_usd: '0' },
    ];
    expect(rise(perCall({ model: { type: 'volume', tiers } }), 8n, 4n)).toBe(2_000_000n);
  });

  it.each<[boolean, Partial<Charge>]>([
    [true, {}],
    [false, { free_quantity: '1' }],
    [false, { model: { type: 'package', size: '5', package_price_usd: '3' } }],
  ])('only a price per unit without free quantity is linear: %s', (linear, charge) => {
    expect(isLinear(perCall(charge))).toBe(linear);
  });
});
