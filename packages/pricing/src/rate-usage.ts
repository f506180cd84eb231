import type { CountedUsage } from './counted-usage.ts';
import { createRateQuantity } from './create-rate-quantity.ts';
import { groupByLine, type LineUsage } from './group-by-line.ts';
import type { Line } from './line.ts';
import { quantityOf } from './quantity-of.ts';
import type { RatedPrices } from './rated-price.ts';
import { toLine } from './to-line.ts';

/**
 * Rates usage into lines: one for each (period, consumer, tool, price version, charge) with a quantity, in that order.
 * Tiers count from the beginning of a period, so `usage` must be all billable usage of its periods. It may be cut into
 * any spans.
 */
export function rateUsage(usage: readonly CountedUsage[], prices: RatedPrices): Line[] {
  return groupByLine(usage, prices)
    .map(rateLine)
    .filter(({ quantity }) => quantity !== '0');
}

function rateLine(line: LineUsage<CountedUsage>): Line {
  const quantity = quantityOf(line.charge.metric, line.usage);
  return toLine(line, { quantity, chargeMicros: createRateQuantity(line.charge)(quantity) });
}
