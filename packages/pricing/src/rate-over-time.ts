import { addDecimals, zeroDecimal } from '@tollgate/kernel/decimal';
import { micros, zeroMicros } from '@tollgate/kernel/money';
import type { CountedUsage } from './counted-usage.ts';
import { createRateQuantity } from './create-rate-quantity.ts';
import { groupByLine, type LineUsage } from './group-by-line.ts';
import type { Line } from './line.ts';
import { quantityOf } from './quantity-of.ts';
import type { RatedPrices } from './rated-price.ts';
import { toLine } from './to-line.ts';

/** Usage of a span of time, with the start of the span: an hour, a day, or the granularity of the requested rows. */
export interface TimedUsage extends CountedUsage {
  readonly startMs: number;
}

/**
 * The quantity and the money that a span added to a line. The money is below 0 where the quantity reached a cheaper
 * volume tier.
 */
export interface TimedLine extends Line {
  readonly startMs: number;
}

/**
 * Rates each span by its marginal money: R(end) − R(start), where R(t) is the rounded line of the period's calls before
 * t. So the spans of a line add up to it exactly, wherever they are cut. Tiers count from the beginning of a period, so
 * the caller also hands over the usage before its span. It then drops the lines of that usage.
 */
export function rateOverTime(usage: readonly TimedUsage[], prices: RatedPrices): TimedLine[] {
  return [...rateLineByLine(usage, prices)].flat();
}

/** Does the same, line by line. The caller can do other work between two lines. */
export function* rateLineByLine(usage: readonly TimedUsage[], prices: RatedPrices): Generator<TimedLine[]> {
  for (const line of groupByLine(usage, prices)) yield rateInTimeOrder(line).filter(({ quantity }) => quantity !== '0');
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
