import { micros, sumMicros, type Micros } from '@tollgate/kernel/money';
import { splitCharge } from '../fees/fee-split.ts';
import { shareOf } from './share-of.ts';
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
