import { expect, it } from '@jest/globals';
import type { Sample } from '../measure-side.ts';
import type { Row } from '../row.ts';
import { judgePairs } from './judge-pairs.ts';

const row: Row = {
  id: 'R0',
  ours: 'ours',
  ceiling: undefined,
  unit: '×',
  figure: 'growth',
  isHigherBetter: true,
  goal: { of: 'figure', bound: { atLeast: 1 } },
  isComparable: true,
  openOurs: () => Promise.reject(new Error('not opened here')),
};

/** Twice as much memory, and as flat as before. */
const sample = (value: number): Sample => ({
  events: 1,
  value,
  growth: 10,
  cpuMicrosPerEvent: { node: 5 },
  loadMicrosPerEvent: 1,
  othersShare: 0,
});

it('compares what the row is about: how its memory grows, not how much it is', () => {
  const pairs = Array.from({ length: 8 }, () => ({ other: sample(10), own: sample(20) }));
  const [growth] = judgePairs(row, pairs, () => 0.5);
  expect(growth).toMatchObject({ metric: '×', ratio: 1, verdict: 'same' });
});
