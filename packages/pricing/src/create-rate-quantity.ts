import type { Charge, PriceModel } from '@tollgate/contracts/tools/price';
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
import { roundToMicros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { unreachable } from '@tollgate/kernel/unreachable';

/**
 * Returns the function that rates a quantity by a charge: quantity of a (consumer, price version, period) →
 * micro-dollars. It subtracts the free quantity, prices the rest exactly, and rounds once. Only here does a quantity
 * meet a price.
 */
export function createRateQuantity({ model, free_quantity: freeQuantity }: Charge): (quantity: Decimal) => Micros {
  const free = parseDecimal(freeQuantity);
  const priceOf = createPriceOf(model);
  return function rateQuantity(quantity) {
    const priced = subtractDecimals(quantity, free);
    return priced.units > 0n ? roundToMicros(priceOf(priced)) : zeroMicros;
  };
}

/** Dollars for a quantity above 0, exactly. */
export type PriceOf = (quantity: Decimal) => Decimal;

export function createPriceOf(model: PriceModel): PriceOf {
  switch (model.type) {
    case 'per_unit':
      return createPerUnit(parseDecimal(model.unit_price_usd));
    case 'graduated':
      return createGraduated(toTiers(model.tiers));
    case 'volume':
      return createVolume(toTiers(model.tiers));
    case 'package':
      return createPackages(parseDecimal(model.size), parseDecimal(model.package_price_usd));
    default:
      return unreachable(model);
  }
}

function createPerUnit(unitPrice: Decimal): PriceOf {
  return (quantity) => multiplyDecimals(quantity, unitPrice);
}

/** Each tier prices the part of the quantity that lies in it; its flat price is charged once any part does. */
function createGraduated(tiers: readonly Tier[]): PriceOf {
  return (quantity) => {
    let price = zeroDecimal;
    for (const { above, upTo, unitPrice, flatPrice } of tiers) {
      if (compareDecimals(quantity, above) <= 0) break;
      const part = subtractDecimals(lesser(quantity, upTo), above);
      price = addDecimals(price, addDecimals(multiplyDecimals(part, unitPrice), flatPrice));
    }
    return price;
  };
}

/** The tier that the whole quantity reaches prices all of it, with that tier's flat price alone. */
function createVolume(tiers: readonly Tier[]): PriceOf {
  return (quantity) => {
    const tier = tiers.find(({ upTo }) => lesser(quantity, upTo) === quantity);
    if (!tier) throw new Error('the last tier of a price has an end');
    return addDecimals(multiplyDecimals(quantity, tier.unitPrice), tier.flatPrice);
  };
}

/** A package that is begun is charged whole. */
function createPackages(size: Decimal, packagePrice: Decimal): PriceOf {
  return (quantity) => multiplyDecimals({ units: ceilQuotient(quantity, size), scale: 0 }, packagePrice);
}

/** From above `above` up to and including `upTo`; null is no end. */
export interface Tier {
  readonly above: Decimal;
  readonly upTo: Decimal | null;
  readonly unitPrice: Decimal;
  readonly flatPrice: Decimal;
}

export function toTiers(tiers: Extract<PriceModel, { type: 'graduated' }>['tiers']): Tier[] {
  return tiers.map((tier, index) => ({
    above: parseDecimal(tiers[index - 1]?.up_to ?? '0'),
    upTo: tier.up_to === null ? null : parseDecimal(tier.up_to),
    unitPrice: parseDecimal(tier.unit_price_usd),
    flatPrice: parseDecimal(tier.flat_price_usd),
  }));
}

/** The quantity itself where both are equal. */
function lesser(quantity: Decimal, upTo: Decimal | null): Decimal {
  return upTo === null || compareDecimals(quantity, upTo) <= 0 ? quantity : upTo;
}
