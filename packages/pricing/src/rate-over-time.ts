import { addDecimals, zeroDecimal, type Decimal } from '@tollgate/kernel/decimal';
import { micros, zeroMicros } from '@tollgate/kernel/money';
import type { CountedUsage } from './counted-usage.ts';
import { createRateQuantity } from './create-rate-quantity.ts';
import { groupByLine, type LineUsage } from './group-by-line.ts';
import type { Line } from './line.ts';
import { quantityOfOne } from './quantity-of.ts';
import type { RatedPrices } from './rated-price.ts';
import { toLine, type Rated } from './to-line.ts';

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

/** The same of a line that the caller knows. */
export interface RatedSpan extends Rated {
  readonly startMs: number;
  readonly passId: string | undefined;
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
  for (const line of groupByLine(usage, prices)) yield rateSpans(line).map((span) => toTimedLine(line, span));
}

/** Rates the spans of one line. Those that add no quantity are left out. */
export function rateSpans(line: LineUsage<TimedUsage>): RatedSpan[] {
  const rateQuantity = createRateQuantity(line.charge);
  let counted = zeroDecimal;
  let charged = zeroMicros;
  const spans: RatedSpan[] = [];
  for (const { startMs, passId, quantity } of quantitiesInTimeOrder(line)) {
    if (quantity.units === 0n) continue;
    const chargedBefore = charged;
    counted = addDecimals(counted, quantity);
    charged = rateQuantity(counted);
    spans.push({ startMs, passId, quantity, chargeMicros: micros(charged - chargedBefore) });
  }
  return spans;
}

function toTimedLine(line: LineUsage<TimedUsage>, { startMs, passId, ...rated }: RatedSpan): TimedLine {
  return passId === undefined ? { startMs, ...toLine(line, rated) } : { startMs, passId, ...toLine(line, rated) };
}

interface SpanQuantity {
  readonly startMs: number;
  readonly passId: string | undefined;
  quantity: Decimal;
}

/** Usage that is in this order already is compared once. */
function quantitiesInTimeOrder({ usage, charge: { metric } }: LineUsage<TimedUsage>): SpanQuantity[] {
  const spans: SpanQuantity[] = [];
  for (const part of usage.toSorted(inTimeOrder)) {
    const { startMs, passId } = part;
    const quantity = quantityOfOne(metric, part);
    const last = spans.at(-1);
    if (last?.startMs === startMs && last.passId === passId) last.quantity = addDecimals(last.quantity, quantity);
    else spans.push({ startMs, passId, quantity });
  }
  return spans;
}

/** Compares passes by code unit: the order must not depend on a locale. */
function inTimeOrder(left: TimedUsage, right: TimedUsage): number {
  if (left.startMs !== right.startMs) return left.startMs < right.startMs ? -1 : 1; // -Infinity - -Infinity is no number
  const [leftPass, rightPass] = [left.passId ?? '', right.passId ?? ''];
  return leftPass < rightPass ? -1 : Number(leftPass > rightPass);
}
