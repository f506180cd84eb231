import { expect, it } from '@jest/globals';
import type { Sample } from '../measure-side.ts';
import type { Row } from '../row.ts';
import { judgePairs } from './judge-pairs.ts';

const row: Row = {
  id: 'R0',
  ours: 'ours',
  ceiling: undefined,
  unit: '/s',
  figure: 'counted',
  isHigherBetter: true,
  goal: { of: 'figure', bound: { atLeast: 1 } },
  isComparable: true,
  openOurs: () => Promise.reject(new Error('not opened here')),
};

/** Accepted twice as fast and counted as fast as before. */
const sample = (value: number): Sample => ({
  events: 1,
  value,
  countedPerSecond: 10,
  cpuMicrosPerEvent: { node: 5 },
  loadMicrosPerEvent: 1,
  othersShare: 0,
});

it('compares what the row is about: how fast events are counted, not how fast they are accepted', () => {
  const pairs = Array.from({ length: 8 }, () => ({ other: sample(10), own: sample(20) }));
  const [rate] = judgePairs(row, pairs, () => 0.5);
  expect(rate).toMatchObject({ metric: '/s', ratio: 1, verdict: 'same' });
});
