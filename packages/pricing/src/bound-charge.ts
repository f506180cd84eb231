import type { Charge, PriceMetric, PriceModel } from '@tollgate/contracts/tools/price';
import {
  addDecimals,
  ceilQuotient,
  compareDecimals,
  multiplyDecimals,
  parseDecimal,
  subtractDecimals,
  zeroDecimal,
  type Decimal,
} from '@tollgate/kernel/decimal';
import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { unreachable } from '@tollgate/kernel/unreachable';
import { createPriceOf, toTiers } from './create-rate-quantity.ts';

/**
 * Returns the function that bounds what a charge can rise by: for an added quantity Δ, no less than R(q + δ) − R(q) for
 * every q and every δ ≤ Δ, and never less than 0. R is the rounded charge of a line. The bound of two quantities together
 * is at most the sum of their bounds.
 */
export function createBoundCharge(charge: Charge): BoundCharge {
  const boundDollars = createBoundDollars(charge.model);
  const isExact = isWhole(charge);
  const free = parseDecimal(charge.free_quantity);
  return function boundCharge(added, within) {
    const priced = within && pricedPart(within, free);
    const dollars =
      added.units > 0n ? boundDollars(priced ? lesser(added, lengthOf(priced)) : added, priced) : zeroDecimal;
    if (dollars.units <= 0n) return zeroMicros;
    const floor = floorMicros(dollars);
    // Half-even rounding of both ends can add one micro-dollar: R(0.5) = 0 and R(1.5) = 2.
    return isExact ? floor : micros(floor + 1n);
  };
}

/** With `within`, only quantities are looked at that begin and end there: the bound is the same or lower. */
export type BoundCharge = (added: Decimal, within?: Span) => Micros;

/** Quantities of a line, both ends included. */
export interface Span {
  readonly from: Decimal;
  readonly to: Decimal;
}

/** As far as it is above the free quantity. */
function pricedPart({ from, to }: Span, free: Decimal): Span {
  return { from: aboveZero(subtractDecimals(from, free)), to: aboveZero(subtractDecimals(to, free)) };
}

function lengthOf({ from, to }: Span): Decimal {
  return subtractDecimals(to, from);
}

function aboveZero(quantity: Decimal): Decimal {
  return quantity.units > 0n ? quantity : zeroDecimal;
}

/** The most that an added quantity can cost, in dollars. The quantity is above 0; or 0, if all of it is free. */
type BoundDollars = (added: Decimal, within: Span | undefined) => Decimal;

function createBoundDollars(model: PriceModel): BoundDollars {
  switch (model.type) {
    case 'per_unit': {
      const unitPrice = parseDecimal(model.unit_price_usd);
      return (added) => multiplyDecimals(added, unitPrice);
    }
    case 'package': {
      const [size, packagePrice] = [parseDecimal(model.size), parseDecimal(model.package_price_usd)];
      return (added) => multiplyDecimals({ units: ceilQuotient(added, size), scale: 0 }, packagePrice);
    }
    case 'graduated':
    case 'volume':
      return createBoundTiers(model);
    default:
      return unreachable(model);
  }
}

/** The dollars of a quantity as it approaches a place from below and from above. They differ where a tier begins. */
interface Place {
  readonly at: Decimal;
  readonly below: Decimal;
  readonly above: Decimal;
}

/**
 * A tiered price is a line from edge to edge, with jumps at the edges. So its steepest rise over a quantity begins or ends
 * at an edge. In volume tiers a jump takes the whole quantity along: this is the flat part of the bound.
 */
function createBoundTiers(model: Extract<PriceModel, { type: 'graduated' | 'volume' }>): BoundDollars {
  const tiers = toTiers(model.tiers);
  const priceOf = createPriceOf(model);
  const placeAt = (at: Decimal): Place => {
    const below = at.units > 0n ? priceOf(at) : zeroDecimal;
    const begun = tiers.find(({ above }) => compareDecimals(above, at) === 0);
    if (begun === undefined) return { at, below, above: below };
    const onTop = model.type === 'graduated' ? below : multiplyDecimals(at, begun.unitPrice);
    return { at, below, above: addDecimals(onTop, begun.flatPrice) };
  };
  const edges = tiers.map(({ above }) => placeAt(above));

  return function boundTiers(added, within) {
    if (added.units <= 0n) return zeroDecimal;
    let steepest = zeroDecimal;
    for (const from of startsOf(edges, added, within)) {
      const start = placeAt(from);
      const end = addDecimals(from, added);
      const between = edges.filter(({ at }) => compareDecimals(at, from) > 0 && compareDecimals(at, end) <= 0);
      for (const place of [...between, placeAt(end)]) steepest = greater(steepest, riseBetween(start, place));
    }
    return steepest;
  };
}

/** Where a steepest rise over this quantity may begin. */
function startsOf(edges: readonly Place[], added: Decimal, within: Span | undefined): Decimal[] {
  const starts = edges.flatMap(({ at }) => [at, subtractDecimals(at, added)]);
  if (within === undefined) return starts.filter(({ units }) => units >= 0n);
  const last = subtractDecimals(within.to, added);
  const inside = starts.filter((at) => compareDecimals(at, within.from) >= 0 && compareDecimals(at, last) <= 0);
  return [within.from, last, ...inside];
}

function riseBetween(from: Place, to: Place): Decimal {
  return subtractDecimals(greater(to.below, to.above), lesser(from.below, from.above));
}

/**
 * Whether every quantity of this charge comes to whole micro-dollars, so that nothing is ever rounded: 0.01 dollars per
 * call, for example.
 */
function isWhole({ metric, model, free_quantity: free }: Charge): boolean {
  if (model.type === 'package') return isWholeMicros(parseDecimal(model.package_price_usd));
  const quantities = [granuleOf(metric), parseDecimal(free)];
  if (model.type === 'per_unit') return areWhole(quantities, parseDecimal(model.unit_price_usd));
  const tiers = toTiers(model.tiers);
  const places = [...quantities, ...tiers.map(({ above }) => above)];
  return tiers.every(({ unitPrice, flatPrice }) => isWholeMicros(flatPrice) && areWhole(places, unitPrice));
}

function areWhole(quantities: readonly Decimal[], unitPrice: Decimal): boolean {
  return quantities.every((quantity) => isWholeMicros(multiplyDecimals(quantity, unitPrice)));
}

/** The smallest quantity that a call can add. */
function granuleOf({ type }: PriceMetric): Decimal {
  return type === 'metadata_sum' ? { units: 1n, scale: 6 } : { units: 1n, scale: 0 };
}

function isWholeMicros({ scale }: Decimal): boolean {
  return scale <= 6;
}

function floorMicros({ units, scale }: Decimal): Micros {
  return micros(scale <= 6 ? units * 10n ** BigInt(6 - scale) : units / 10n ** BigInt(scale - 6)); // units are above 0
}

function greater(left: Decimal, right: Decimal): Decimal {
  return compareDecimals(left, right) >= 0 ? left : right;
}

function lesser(left: Decimal, right: Decimal): Decimal {
  return compareDecimals(left, right) <= 0 ? left : right;
}
