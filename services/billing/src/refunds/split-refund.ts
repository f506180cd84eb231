import { micros, type Micros } from '@tollgate/kernel/money';

export interface RefundSplit {
  /** One share per line, at the line's place; 0 for a line that takes no part. */
  readonly shares: readonly Micros[];
  /** The part of the amount that the lines cannot pay; no earning is lowered by it. */
  readonly excessMicros: Micros;
}

interface ExactShare {
  readonly index: number;
  readonly share: bigint;
  readonly remainder: bigint;
}

/**
 * Divides a refund among the released lines of its invoice, in proportion to what each has left of its charge. Shares
 * are rounded down. The largest remainders then get one micro-dollar more each; ties go in line order.
 *
 * So no line gives more than it has left, and a refund of everything leaves nothing. Lines below 0 (lowered by a volume
 * tier) give nothing.
 */
export function splitRefund(amountMicros: Micros, leftMicros: readonly Micros[]): RefundSplit {
  const weights = leftMicros.map((left) => (left > 0n ? left : 0n));
  const givers = sum(weights);
  const leftInAll = sum(leftMicros);
  const taken = leftInAll > 0n ? least(amountMicros, leftInAll) : 0n;
  const parts = weights.map((weight, index): ExactShare => {
    const exact = taken * weight;
    return givers === 0n
      ? { index, share: 0n, remainder: 0n }
      : { index, share: exact / givers, remainder: exact % givers };
  });
  const missing = Number(taken - sum(parts.map(({ share }) => share)));
  const rounded = new Set(
    parts
      .toSorted((a, b) => compare(b.remainder, a.remainder) || a.index - b.index)
      .slice(0, missing)
      .map(({ index }) => index),
  );
  return {
    shares: parts.map(({ index, share }) => micros(share + (rounded.has(index) ? 1n : 0n))),
    excessMicros: micros(amountMicros - taken),
  };
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
