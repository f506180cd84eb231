import { addDecimals, zeroDecimal } from '@tollgate/kernel/decimal';
import { micros, zeroMicros } from '@tollgate/kernel/money';
import type { CountedUsage } from './counted-usage.ts';
import { createRateQuantity } from './create-rate-quantity.ts';
import { groupByLine, type LineUsage } from './group-by-line.ts';
import type { Line } from './line.ts';
import { quantityOf } from './quantity-of.ts';
import type { RatedPrices } from './rated-price.ts';
import { toLine } from './to-line.ts';

/** Usage of some span of time, named by where the span starts: an hour, a day, or whatever the asked rows are. */
export interface TimedUsage extends CountedUsage {
  readonly startMs: number;
}

/** What one span added to a line. Its charge is below 0 where it carried the quantity into a cheaper volume tier. */
export interface TimedLine extends Line {
  readonly startMs: number;
}

/**
 * Marginal money: R(end) − R(start), R(t) being the rounded line of the period's calls before t. The spans of a line add
 * up to it exactly, wherever they are cut. Tiers count from a period's beginning: a caller that asks for a later span of a
 * period hands over what came before too, as one span or many, and leaves its money out of the answer.
 */
export function rateOverTime(usage: readonly TimedUsage[], prices: RatedPrices): TimedLine[] {
  return groupByLine(usage, prices)
    .flatMap(rateInTimeOrder)
    .filter(({ quantity }) => quantity !== '0');
}

function rateInTimeOrder(line: LineUsage<TimedUsage>): TimedLine[] {
  const rateQuantity = createRateQuantity(line.charge);
  let counted = zeroDecimal;
  let charged = zeroMicros;
  return inTimeOrder(line.usage).map(([startMs, usage]) => {
    const quantity = quantityOf(line.charge.metric, usage);
    const chargedBefore = charged;
    counted = addDecimals(counted, quantity);
    charged = rateQuantity(counted);
    return { startMs, ...toLine(line, { quantity, chargeMicros: micros(charged - chargedBefore) }) };
  });
}

function inTimeOrder(usage: readonly TimedUsage[]): [startMs: number, usage: TimedUsage[]][] {
  return [...Map.groupBy(usage, ({ startMs }) => startMs)].sort(([left], [right]) => left - right);
}
