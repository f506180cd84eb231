import { describe, expect, it } from '@jest/globals';
import { hasMoved, isDisturbed, judgeRow, steadiestRounds, type Round, type Rounds } from './judge-row.ts';
import type { Sample } from './measure-side.ts';
import type { Row } from './row.ts';

const row: Row = {
  id: 'R0',
  ours: 'ours',
  ceiling: 'ceiling',
  unit: '/s',
  figure: 'value',
  isHigherBetter: true,
  goal: { of: 'ratio', bound: { atLeast: 0.5 } },
  isComparable: false,
  openOurs: () => Promise.reject(new Error('not opened here')),
};

describe('judgeRow', () => {
  it('takes the median of the ratios of each round, and the CPU of each process', () => {
    const verdict = judgeRow(row, rounds([0.4, 0.6, 0.55, 0.7, 0.6]));
    expect(verdict).toMatchObject({ ratio: { min: 0.4, median: 0.6, max: 0.7 }, spread: 0.5, met: true });
    expect(verdict.cpuMicrosPerEvent.ours).toEqual({ node: 12, postgres: 8, 'load generator': 3 });
    expect(verdict.void).toBeUndefined();
  });

  it('is not met by the best round alone', () => {
    expect(judgeRow(row, rounds([0.4, 0.4, 0.9, 0.3, 0.4])).met).toBe(false);
  });

  it('forms the ratio from CPU per event where that is the figure', () => {
    const cpuRow: Row = { ...row, figure: 'cpu', goal: { of: 'ratio', bound: { atMost: 3 } } };
    expect(judgeRow(cpuRow, rounds([1, 1, 1, 1, 1]))).toMatchObject({ figure: { median: 20 }, ratio: { median: 1 } });
  });

  it('is void when the ceiling moved by more than a tenth', () => {
    const moved = [100, 100, 100, 100, 111].map((value): Round => ({ ceiling: sample(value), ours: sample(60) }));
    expect(judgeRow(row, { rounds: moved, disturbedRounds: 0, movedRounds: 0 }).void).toEqual([
      'the ceiling moved by 11 %',
    ]);
  });

  it('leaves out the rounds in which the machine had another speed, whatever ours did in them', () => {
    const speeds = [100, 150, 104, 98, 60, 101, 99].map((value, at): Round => ({
      ceiling: sample(value),
      ours: sample(at),
    }));
    const steadiest = steadiestRounds(row, speeds, 5);
    expect(steadiest.map(({ ceiling }) => ceiling?.value)).toEqual([100, 104, 98, 101, 99]);
    expect([hasMoved(row, speeds), hasMoved(row, steadiest)]).toEqual([true, false]);
    expect(judgeRow(row, { rounds: steadiest, disturbedRounds: 0, movedRounds: 2 })).toMatchObject({ movedRounds: 2 });
  });

  it('takes all rounds of a row without a ceiling', () => {
    const alone = [1, 2, 9].map((value): Round => ({ ours: sample(value) }));
    expect([steadiestRounds(row, alone, 3), hasMoved(row, alone)]).toEqual([alone, false]);
  });

  it('is void when others used more than a tenth of the machine in any round of either side', () => {
    const { rounds: quiet, disturbedRounds } = rounds([0.6, 0.6, 0.6, 0.6]);
    const busy = { ceiling: { ...sample(100), othersShare: 0.2 }, ours: sample(60) };
    expect([quiet[0] && isDisturbed(row, quiet[0]), isDisturbed(row, busy)]).toEqual([false, true]);
    expect(judgeRow(row, { rounds: [...quiet, busy], disturbedRounds, movedRounds: 0 }).void).toEqual([
      'others used 20 % of the machine in one of the rounds',
    ]);
  });

  it('is void after fewer than five rounds', () => {
    expect(judgeRow(row, rounds([0.6])).void).toEqual(['1 rounds, and 5 are the least that count']);
  });

  it('says beside its verdict that it was taken at less than the size of the claim', () => {
    const large: Row = { ...row, fullSize: { pairs: 1_000 } };
    const five = rounds([0.6, 0.6, 0.6, 0.6, 0.6]);
    expect(judgeRow(large, five, { pairs: 10 })).toMatchObject({ met: true, smaller: ['at 10 of 1000 pairs'] });
    expect(judgeRow(large, five, { pairs: 1_000 }).smaller).toBeUndefined();
  });

  it('judges a row without a ceiling by its figure', () => {
    const { rounds: both, ...counts } = rounds([1, 1, 1, 1, 1]);
    const alone = { rounds: both.map(({ ours }) => ({ ours })), ...counts };
    const absolute: Row = { ...row, ceiling: undefined, goal: { of: 'figure', bound: { atMost: 250 } } };
    expect(judgeRow(absolute, alone)).toMatchObject({ met: true, ratio: null, ceiling: null });
  });
});

function rounds(ratios: readonly number[]): Rounds {
  return {
    rounds: ratios.map((ratio) => ({ ceiling: sample(100), ours: sample(100 * ratio) })),
    disturbedRounds: 0,
    movedRounds: 0,
  };
}

function sample(value: number): Sample {
  return {
    value,
    events: 1_000,
    cpuMicrosPerEvent: { node: 12, postgres: 8 },
    loadMicrosPerEvent: 3,
    othersShare: 0.01,
  };
}
