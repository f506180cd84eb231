import { figureOf, totalCpuMicros, type Sample } from '../measure-side.ts';
import type { Row } from '../row.ts';
import { comparePairs, type PairedDifference } from '../statistics.ts';

export interface PairOfSamples {
  readonly other: Sample;
  readonly own: Sample;
}

export interface Judgement extends PairedDifference {
  readonly metric: string;
  readonly verdict: 'faster' | 'slower' | 'same';
}

/** A difference counts when fewer than one in twenty arrangements of the same rounds would show as much by chance. */
const confidenceMin = 0.95;
/** Below this many rounds no difference whatever could reach that confidence. */
export const pairsMin = 6;

/** Judges the rate, or whatever the row measures, and CPU per event, which a busy machine disturbs less. */
export function judgePairs(row: Row, pairs: readonly PairOfSamples[], random: () => number): Judgement[] {
  const judge = (metric: string, isHigherBetter: boolean, of: (sample: Sample) => number): Judgement => {
    const difference = comparePairs(
      pairs.map(({ other, own }) => ({ first: of(other), second: of(own) })),
      random,
    );
    return { metric, ...difference, verdict: verdictOf(difference, isHigherBetter) };
  };
  const cpu = judge('CPU µs per event', false, totalCpuMicros);
  return row.figure === 'cpu' ? [cpu] : [judge(row.unit, row.isHigherBetter, (sample) => figureOf(row, sample)), cpu];
}

function verdictOf({ ratio, confidence }: PairedDifference, isHigherBetter: boolean): Judgement['verdict'] {
  if (confidence < confidenceMin || ratio === 1) return 'same';
  return ratio > 1 === isHigherBetter ? 'faster' : 'slower';
}
