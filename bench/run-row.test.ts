import { expect, it } from '@jest/globals';
import type { Row, Side } from './row.ts';
import { groupByRun, runRows } from './run-row.ts';

const context = { root: '', seconds: 1, sizes: {}, progress: () => undefined };
const base = {
  id: 'R0',
  ours: 'ours',
  unit: '/s',
  figure: 'value',
  isHigherBetter: true,
  isComparable: false,
} as const;

it('measures the sides of a run in turn after a warm-up of each, closes both, and judges all of its rows', async () => {
  const steps: string[] = [];
  const open = async (name: string, value: number): Promise<Side> => ({
    processes: [],
    prepare: async () => void steps.push(`prepare ${name}`),
    async measure() {
      steps.push(name);
      return { value, events: 1 };
    },
    close: async () => void steps.push(`close ${name}`),
  });
  const row: Row = {
    ...base,
    run: 'both',
    ceiling: 'ceiling',
    goal: { of: 'ratio', bound: { atLeast: 0.5 } },
    openOurs: () => open('ours', 60),
    openCeiling: () => open('ceiling', 100),
  };
  const [run] = groupByRun([row, { ...row, id: 'R00', goal: { of: 'ratio', bound: { atLeast: 0.7 } } }]);
  const judged = run ? await runRows(run, context, 5) : [];
  const disturbed = judged[0]?.verdict.disturbedRounds ?? 0; // a test may run on a busy machine
  const turn = ['prepare ceiling', 'ceiling', 'prepare ours', 'ours'];
  const turns = 1 + 5 + disturbed; // the first warms up
  expect(steps).toEqual([...Array.from({ length: turns }, () => turn).flat(), 'close ceiling', 'close ours']);
  expect(judged.map(({ row: { id }, verdict }) => [id, verdict.ratio?.median, verdict.met])).toEqual([
    ['R0', 0.6, true],
    ['R00', 0.6, false],
  ]);
});

it('counts the first round of a side that is warm', async () => {
  let measured = 0;
  const side: Side = {
    processes: [],
    isWarm: true,
    measure: async () => ({ value: (measured += 1), events: 1 }),
    close: async () => undefined,
  };
  const row: Row = {
    ...base,
    ceiling: undefined,
    goal: { of: 'figure', bound: { atLeast: 1 } },
    isUnmovedByOthers: true,
    openOurs: async () => side,
  };
  const [judged] = await runRows([row], context, 5);
  expect([measured, judged?.verdict.figure.min]).toEqual([5, 1]);
});
