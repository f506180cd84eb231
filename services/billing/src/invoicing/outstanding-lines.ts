import { addDecimals, formatDecimal, parseDecimal, subtractDecimals } from '@tollgate/kernel/decimal';
import { micros, zeroMicros } from '@tollgate/kernel/money';
import type { Line } from '@tollgate/pricing/line';

/**
 * What was rated and not billed: a period's lines as they are when nothing of it was billed yet, afterwards the difference
 * that late events made. It may be negative, where they carried the quantity into a cheaper tier of volume. In the order of
 * `rated`; what was billed and is not rated any more stands last.
 */
export function outstandingLines(rated: readonly Line[], billed: readonly Line[]): Line[] {
  const outstanding = new Map(rated.map((line) => [lineKeyOf(line), line]));
  for (const line of billed) {
    const key = lineKeyOf(line);
    outstanding.set(key, subtractLine(outstanding.get(key) ?? { ...line, ...nothing }, line));
  }
  return [...outstanding.values()].filter(({ quantity, chargeMicros }) => quantity !== '0' || chargeMicros !== 0n);
}

/** The lines of the same charge in the same period as one. */
export function sumLines(lines: readonly Line[]): Line[] {
  const sums = new Map<string, Line>();
  for (const line of lines) {
    const key = lineKeyOf(line);
    const sum = sums.get(key);
    sums.set(key, sum ? addLine(sum, line) : line);
  }
  return [...sums.values()];
}

const nothing = { quantity: '0', chargeMicros: zeroMicros };

/** The builder follows from the price. */
function lineKeyOf({ period, consumerId, priceId, chargeIndex }: Line): string {
  return `${period} ${consumerId} ${priceId} ${chargeIndex}`;
}

function addLine(sum: Line, line: Line): Line {
  return {
    ...sum,
    quantity: formatDecimal(addDecimals(parseDecimal(sum.quantity), parseDecimal(line.quantity))),
    chargeMicros: micros(sum.chargeMicros + line.chargeMicros),
  };
}

function subtractLine(from: Line, line: Line): Line {
  return {
    ...from,
    quantity: formatDecimal(subtractDecimals(parseDecimal(from.quantity), parseDecimal(line.quantity))),
    chargeMicros: micros(from.chargeMicros - line.chargeMicros),
  };
}
