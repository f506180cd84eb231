/**
 * The most that the calls in flight can add to a line. A line is the usage of a consumer under one price version in one
 * period; R(q) is what it comes to, s what is settled, h the most that everything in flight can add.
 *
 * A cap that covers whole lines holds, for each, the greatest R(s + δ) − R(s) with δ from 0 to h. It is taken anew at each
 * decision: in whatever order calls are counted, and whatever part of them, they end at one of these δ. A sum of bounds per
 * call would be too low, since what one call leaves free another may have taken meanwhile. Each δ has one quantity for each
 * metric, so charges of one metric are added first.
 *
 * Settling a part d of h keeps what is spent and held together at most where it was: R(s + d) − R(s) and the greatest rise from
 * there on are one way through the old span.
 */
import type { Charge, Price, PriceMetric } from '@tollgate/contracts/tools/price';
import { addDecimals, compareDecimals, parseDecimal, type Decimal } from '@tollgate/kernel/decimal';
import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { createBoundCharge, type BoundCharge, type Span } from './bound-charge.ts';
import { createRateQuantity } from './create-rate-quantity.ts';
import { quantityOf, type LineQuantities } from './quantity-of.ts';

export interface LineInFlight {
  readonly settled: LineQuantities;
  readonly inFlight: LineQuantities;
  /**
   * A single call is in flight. `known`: with these quantities, or it does not happen; `one`: with these at most. Then its
   * metrics rise together, and one may make up for the other. Null: several calls, any part of which may happen.
   */
  readonly alone: Alone | null;
}

export type Alone = 'known' | 'one';

/** The most that the line can rise by; never below 0. */
export function boundLine(price: Price, { settled, inFlight, alone }: LineInFlight): Micros {
  const rises = metricsOf(price).map((metric) => {
    const span = spanOf(metric, settled, inFlight);
    const isCertain = alone === 'known' || (alone === 'one' && metric.of.type === 'calls');
    return isCertain ? riseOver(metric, span) : greatestRise(metric, span);
  });
  const sum = rises.reduce((total, rise) => total + rise, 0n);
  return sum > 0n ? micros(sum) : zeroMicros;
}

/** The most that one of the calls in flight can add, wherever in their order it is counted. It is in `inFlight`, too. */
export function boundInLine(price: Price, line: LineInFlight, call: LineQuantities): Micros {
  if (line.alone !== null) return boundLine(price, line);
  const sum = metricsOf(price).reduce((total, metric) => total + greatestOfOne(metric, line, call), 0n);
  return micros(sum);
}

/** Whether every quantity adds the same, whatever was used before: then nothing is gained by looking at the line. */
export function isLinear({ charges }: Price): boolean {
  return charges.every(({ model, free_quantity: free }) => model.type === 'per_unit' && free === '0');
}

/** The charges of a price that count the same. */
interface Metric {
  readonly of: PriceMetric;
  /** The smallest step of its quantities, as a power of ten. */
  readonly scale: 0 | 6;
  readonly rate: (quantity: Decimal) => bigint;
  readonly bounds: readonly BoundCharge[];
  /** The quantities after which a cheaper tier may begin, rounded down to a step. */
  readonly edges: readonly Decimal[];
}

const known = new WeakMap<Price, readonly Metric[]>();

function metricsOf(price: Price): readonly Metric[] {
  const metrics = known.get(price) ?? [...Map.groupBy(price.charges, keyOf).values()].map(toMetric);
  known.set(price, metrics);
  return metrics;
}

function keyOf({ metric }: Charge): string {
  return metric.type === 'metadata_sum' ? `key ${metric.key}` : metric.type;
}

function toMetric(charges: readonly Charge[]): Metric {
  const [first] = charges;
  if (first === undefined) throw new Error('a metric without charges');
  const scale = first.metric.type === 'metadata_sum' ? 6 : 0;
  const rates = charges.map(createRateQuantity);
  return {
    of: first.metric,
    scale,
    rate: (quantity) => rates.reduce((sum, rate) => sum + rate(quantity), 0n),
    bounds: charges.map(createBoundCharge),
    edges: charges
      .flatMap(edgesOf)
      .map((edge) => roundDown(edge, scale))
      .sort(compareDecimals),
  };
}

/** Only with volume tiers a greater quantity can cost less. */
function edgesOf({ model, free_quantity: free }: Charge): Decimal[] {
  if (model.type !== 'volume') return [];
  return model.tiers.flatMap(({ up_to: upTo }) =>
    upTo === null ? [] : [addDecimals(parseDecimal(free), parseDecimal(upTo))],
  );
}

function roundDown({ units, scale }: Decimal, places: number): Decimal {
  return scale <= places
    ? { units, scale }
    : addDecimals({ units: units / 10n ** BigInt(scale - places), scale: places }, none);
}

const none: Decimal = { units: 0n, scale: 0 };

function spanOf({ of }: Metric, settled: LineQuantities, inFlight: LineQuantities): Span {
  const from = quantityOf(of, [settled]);
  return { from, to: addDecimals(from, quantityOf(of, [inFlight])) };
}

function riseOver({ rate }: Metric, { from, to }: Span): bigint {
  return rate(to) - rate(from);
}

/** Between edges a line never falls, so it is highest at an edge or at the end. */
function greatestRise(metric: Metric, span: Span): bigint {
  const start = metric.rate(span.from);
  const tops = [...edgesWithin(metric, span), span.to].map((at) => metric.rate(at) - start);
  return tops.reduce(greater, 0n);
}

function greatestOfOne(metric: Metric, { settled, inFlight }: LineInFlight, call: LineQuantities): bigint {
  const span = spanOf(metric, settled, inFlight);
  const added = quantityOf(metric.of, [call]);
  const anywhere = metric.bounds.reduce((sum, bound) => sum + bound(added, span), 0n);
  return lesser(anywhere, steepestRise(metric, span));
}

/** From any quantity of the span to any later one: it begins at the start, or where a tier has just begun. */
function steepestRise(metric: Metric, span: Span): bigint {
  const step: Decimal = { units: 1n, scale: metric.scale };
  let lowest = metric.rate(span.from);
  let steepest = 0n;
  for (const edge of edgesWithin(metric, span)) {
    steepest = greater(steepest, metric.rate(edge) - lowest);
    lowest = lesser(lowest, metric.rate(addDecimals(edge, step)));
  }
  return greater(steepest, metric.rate(span.to) - lowest);
}

/** From the start on, before the end. */
function edgesWithin({ edges }: Metric, { from, to }: Span): Decimal[] {
  return edges.filter((edge) => compareDecimals(edge, from) >= 0 && compareDecimals(edge, to) < 0);
}

function greater(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

function lesser(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
