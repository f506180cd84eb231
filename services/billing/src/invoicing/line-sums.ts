import { micros } from '@tollgate/kernel/money';
import type { Line } from '@tollgate/pricing/line';

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
