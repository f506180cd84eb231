import { expect, it } from '@jest/globals';
import type { Row, Side } from './row.ts';
import { groupByRun, runRows } from './run-row.ts';

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
    id: 'R0',
    run: 'both',
    ours: 'ours',
    ceiling: 'ceiling',
    unit: '/s',
    figure: 'value',
    isHigherBetter: true,
    goal: { of: 'ratio', bound: { atLeast: 0.5 } },
    isComparable: false,
    openOurs: () => open('ours', 60),
    openCeiling: () => open('ceiling', 100),
  };
  const context = { root: '', seconds: 1, sizes: {}, isProfiled: false, progress: () => undefined };
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
