import { micros, sumMicros, type Micros, zeroMicros } from '@tollgate/kernel/money';
import { splitCharge } from '../fees/fee-splits.ts';
import type { TracedEarning } from './trace.ts';

/** A released line, and the call's charge in it. */
export interface ReleasedCharge {
  readonly callMicros: Micros;
  readonly lineMicros: Micros;
  readonly feeMicros: Micros;
  readonly releasedAtMs: number;
}

export interface EarningFacts {
  readonly chargeMicros: Micros;
  readonly released: readonly ReleasedCharge[];
  readonly isWrittenOff: boolean;
  /** The builder's gross now. */
  readonly grossMicros: Micros;
}

/**
 * Traces the builder's money of a call: charge = earning + fee. The split is expected until the line is released, and
 * null if it was written off.
 */
export function traceEarning({ chargeMicros, released, isWrittenOff, grossMicros }: EarningFacts): TracedEarning {
  const [first] = released;
  if (first !== undefined) {
    const feeMicros = sumMicros(released.map((line) => shareOf(line.feeMicros, line)));
    const earningMicros = micros(chargeMicros - feeMicros);
    return { status: 'released', releasedAtMs: first.releasedAtMs, split: { earningMicros, feeMicros } };
  }
  if (isWrittenOff) return { status: 'written_off', releasedAtMs: null, split: null };
  return { status: 'expected', releasedAtMs: null, split: splitCharge({ grossMicros, chargeMicros }) };
}

/** A call's part of an amount of its line, in proportion to its part of the line's charge. Rounded towards zero. */
export function shareOf(amount: Micros, part: { readonly callMicros: Micros; readonly lineMicros: Micros }): Micros {
  return part.lineMicros === 0n ? zeroMicros : micros((amount * part.callMicros) / part.lineMicros);
}
