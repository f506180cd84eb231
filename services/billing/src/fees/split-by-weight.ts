import { micros, type Micros } from '@tollgate/kernel/money';

interface ExactShare {
  readonly index: number;
  readonly share: bigint;
  readonly remainder: bigint;
}

/**
 * Divides an amount in proportion to weights, one share per weight, at its place. Shares are rounded down. The largest
 * remainders then get one micro-dollar more each; ties go in order. So the shares add up to the amount. Weights of 0 and
 * below get nothing; if all are, so do all.
 */
export function splitByWeight(amountMicros: Micros, weights: readonly bigint[]): Micros[] {
  const above = weights.map((weight) => (weight > 0n ? weight : 0n));
  const all = sum(above);
  if (all === 0n) return weights.map(() => micros(0n));
  const parts = above.map((weight, index): ExactShare => {
    const exact = amountMicros * weight;
    return { index, share: exact / all, remainder: exact % all };
  });
  const missing = Number(amountMicros - sum(parts.map(({ share }) => share)));
  const rounded = new Set(
    parts
      .toSorted((a, b) => compare(b.remainder, a.remainder) || a.index - b.index)
      .slice(0, missing)
      .map(({ index }) => index),
  );
  return parts.map(({ index, share }) => micros(share + (rounded.has(index) ? 1n : 0n)));
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
