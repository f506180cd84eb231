import { addDecimals, formatDecimal, parseDecimal, subtractDecimals } from '@tollgate/kernel/decimal';
import { micros, zeroMicros } from '@tollgate/kernel/money';
import type { Line } from '@tollgate/pricing/line';

/**
 * Subtracts billed lines from rated ones. Before a period's first invoice, the result is the period's rated lines.
 * Afterwards it is what late events changed. An amount is negative when late events moved the quantity into a cheaper
 * volume tier.
 *
 * The order is that of `rated`. Lines that were billed but are no longer rated follow at the end.
 */
export function outstandingLines(rated: readonly Line[], billed: readonly Line[]): Line[] {
  const outstanding = new Map(rated.map((line) => [lineKeyOf(line), line]));
  for (const line of billed) {
    const key = lineKeyOf(line);
    outstanding.set(key, subtractLine(outstanding.get(key) ?? { ...line, ...nothing }, line));
  }
  return [...outstanding.values()].filter(({ quantity, chargeMicros }) => quantity !== '0' || chargeMicros !== 0n);
}

/** Adds up the lines of the same charge in the same period. */
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

/** No builder in the key: the price version determines it. */
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

/** Adds up lines as they come. Each sum is a line that stands for all of its group; its quantity is their number. */
export interface LineSums {
  add(lines: readonly Line[]): void;
  readonly sums: () => Line[];
  readonly lineCount: () => number;
}

/** Groups lines by `keyOf`. The sums have what the first line of their group has, save quantity and charge. */
export function createLineSums(keyOf: (line: Line) => string): LineSums {
  const sums = new Map<string, { first: Line; lines: number; charged: bigint }>();
  let lineCount = 0;
  return {
    add(lines) {
      lineCount += lines.length;
      for (const line of lines) {
        const sum = sums.get(keyOf(line)) ?? { first: line, lines: 0, charged: 0n };
        sum.lines += 1;
        sum.charged += line.chargeMicros;
        sums.set(keyOf(line), sum);
      }
    },
    sums: () => [...sums.values()].map(toLine),
    lineCount: () => lineCount,
  };
}

function toLine({ first, lines, charged }: { first: Line; lines: number; charged: bigint }): Line {
  return { ...first, quantity: String(lines), chargeMicros: micros(charged) };
}
