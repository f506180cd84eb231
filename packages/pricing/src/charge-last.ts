import { subtractDecimals, zeroDecimal, type Decimal } from '@tollgate/kernel/decimal';
import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import type { CountedUsage } from './counted-usage.ts';
import { createRateQuantity } from './create-rate-quantity.ts';
import { groupByLine, type LineUsage } from './group-by-line.ts';
import { quantityOf } from './quantity-of.ts';
import type { RatedPrices } from './rated-price.ts';

/**
 * Says what each of the `last` events added to the bill, if they came last: `all` is the usage with them. The money of
 * each is R(q) − R(q − event) at its place, so together they are exactly what the bill rose by. Each is at most its bound.
 */
export function chargeLast<Event extends CountedUsage>(
  all: readonly CountedUsage[],
  last: readonly Event[],
  prices: RatedPrices,
): ReadonlyMap<Event, Micros> {
  const quantities = new Map(groupByLine(all, prices).map((line) => [keyOf(line), quantityOfLine(line)]));
  const charged = new Map(last.map((event) => [event, zeroMicros]));
  for (const line of groupByLine(last, prices)) {
    const rateQuantity = createRateQuantity(line.charge);
    let quantity = quantities.get(keyOf(line)) ?? zeroDecimal;
    for (const event of line.usage) {
      const without = subtractDecimals(quantity, quantityOf(line.charge.metric, [event]));
      const rise = rateQuantity(quantity) - rateQuantity(without);
      charged.set(event, micros((charged.get(event) ?? zeroMicros) + rise));
      quantity = without;
    }
  }
  return charged;
}

function quantityOfLine({ charge, usage }: LineUsage<CountedUsage>): Decimal {
  return quantityOf(charge.metric, usage);
}

function keyOf({ period, consumerId, price, chargeIndex }: LineUsage<CountedUsage>): string {
  return `${period} ${consumerId} ${price.priceId} ${chargeIndex}`;
}
