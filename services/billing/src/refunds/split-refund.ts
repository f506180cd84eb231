import { micros, type Micros } from '@tollgate/kernel/money';
import { splitByWeight } from '../fees/split-by-weight.ts';

export interface RefundSplit {
  /** One share per line, at the line's place; 0 for a line that takes no part. */
  readonly shares: readonly Micros[];
  /** The part of the amount that the lines cannot pay; no earning is lowered by it. */
  readonly excessMicros: Micros;
}

/**
 * Divides a refund among the released lines of its invoice, in proportion to what each has left of its charge. The
 * largest remainders get the rest; ties go in line order.
 *
 * So no line gives more than it has left, and a refund of everything leaves nothing. Lines below 0 (lowered by a volume
 * tier) give nothing.
 */
export function splitRefund(amountMicros: Micros, leftMicros: readonly Micros[]): RefundSplit {
  const leftInAll = leftMicros.reduce((total, left) => total + left, 0n);
  const taken = micros(leftInAll > 0n ? least(amountMicros, leftInAll) : 0n);
  return { shares: splitByWeight(taken, leftMicros), excessMicros: micros(amountMicros - taken) };
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
