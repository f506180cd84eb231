import { addDecimals, zeroDecimal } from '@tollgate/kernel/decimal';
import { micros, zeroMicros } from '@tollgate/kernel/money';
import type { CountedUsage } from './counted-usage.ts';
import { createRateQuantity } from './create-rate-quantity.ts';
import { groupByLine, type LineUsage } from './group-by-line.ts';
import type { Line } from './line.ts';
import { quantityOf } from './quantity-of.ts';
import type { RatedPrices } from './rated-price.ts';
import { toLine } from './to-line.ts';

/**
 * Usage of a span of time, with the start of the span: an hour, a day, or the granularity of the requested rows. A span
 * may be divided by pass.
 */
export interface TimedUsage extends CountedUsage {
  readonly startMs: number;
  /** Undefined: calls without a pass, or of a span that is not divided. */
  readonly passId?: string | undefined;
}

/**
 * The quantity and the money that a span added to a line. The money is below 0 where the quantity reached a cheaper
 * volume tier.
 */
export interface TimedLine extends Line {
  readonly startMs: number;
  readonly passId?: string | undefined;
}

/**
 * Rates each span by its marginal money: R(end) − R(start), where R(t) is the rounded line of the period's calls before
 * t. So the spans of a line add up to it exactly, wherever they are cut. Tiers count from the beginning of a period, so
 * the caller also hands over the usage before its span. It then drops the lines of that usage.
 *
 * The passes of a span are rated one after the other, calls without a pass before them: so they add up to the span.
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
  return inTimeOrder(line.usage).map(([first, ...others]) => {
    const quantity = quantityOf(line.charge.metric, [first, ...others]);
    const chargedBefore = charged;
    counted = addDecimals(counted, quantity);
    charged = rateQuantity(counted);
    const rated = toLine(line, { quantity, chargeMicros: micros(charged - chargedBefore) });
    const { startMs, passId } = first;
    return passId === undefined ? { startMs, ...rated } : { startMs, passId, ...rated };
  });
}

type Part = [TimedUsage, ...TimedUsage[]];

function inTimeOrder(usage: readonly TimedUsage[]): Part[] {
  const parts = Map.groupBy(usage, ({ startMs, passId }) => (passId === undefined ? startMs : `${startMs} ${passId}`));
  return ([...parts.values()] as Part[]).sort(([left], [right]) => left.startMs - right.startMs || byPass(left, right)); // groups are never empty
}

/** Compares by code unit: the order must not depend on a locale. */
function byPass({ passId: left = '' }: TimedUsage, { passId: right = '' }: TimedUsage): number {
  return left < right ? -1 : Number(left > right);
}
