import { expect, it } from '@jest/globals';
import type { Side } from './row.ts';
import { runRow } from './run-row.ts';

it('measures ceiling and ours in turn after a warm-up of each, and closes both', async () => {
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
  const verdict = await runRow(
    {
      id: 'R0',
      ours: 'ours',
      ceiling: 'ceiling',
      unit: '/s',
      figure: 'value',
      isHigherBetter: true,
      goal: { of: 'ratio', bound: { atLeast: 0.5 } },
      isComparable: false,
      openOurs: () => open('ours', 60),
      openCeiling: () => open('ceiling', 100),
    },
    { root: '', seconds: 1, sizes: {}, isProfiled: false, progress: () => undefined },
    5,
  );
  const turn = ['prepare ceiling', 'ceiling', 'prepare ours', 'ours'];
  const turns = 1 + 5 + verdict.disturbedRounds; // the warm-up, and a test may run on a busy machine
  expect(steps).toEqual([...Array.from({ length: turns }, () => turn).flat(), 'close ceiling', 'close ours']);
  expect(verdict).toMatchObject({ ratio: { min: 0.6, max: 0.6 }, met: true });
  expect(verdict.rounds).toHaveLength(5);
});
