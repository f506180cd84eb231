import { micros, sumMicros, type Micros } from '@tollgate/kernel/money';
import { splitCharge } from '../fees/fee-split.ts';
import { shareOf } from './share-of.ts';
import type { TracedEarning } from './trace.ts';

/** A line that was released, and what the call is of it. */
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
  /** Of its builder, as it stands. */
  readonly grossMicros: Micros;
}

/** What a call earned its builder: charge = earning + fee. */
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
