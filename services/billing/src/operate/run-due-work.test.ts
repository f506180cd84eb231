import { describe, expect, it } from '@jest/globals';
import { createRunDueWork, type DueStep } from './run-due-work.ts';

const nothing = async () => 0;
const noPeriods = async () => [];
const failing = async (): Promise<never> => {
  throw new Error('this one is broken');
};

/** A step that has so much to do, one at a time. */
function stepOf(count: number): { readonly step: DueStep; readonly left: () => number } {
  let left = count;
  const step = async () => {
    if (left === 0) return 0;
    left -= 1;
    return 1;
  };
  return { step, left: () => left };
}

describe('due work', () => {
  it('is repeated until a pass finds nothing', async () => {
    const { step, left } = stepOf(3);
    const closes = [['2026-01'], ['2026-02']];
    const closeDuePeriods = async () => (closes.shift() ?? []).map((period) => ({ period, invoices: 0 }));
    const { closedPeriods } = await createRunDueWork({ closeDuePeriods, steps: [nothing, step] })(0);
    expect(left()).toBe(0);
    expect(closedPeriods.map(({ period }) => period)).toEqual(['2026-01', '2026-02']);
  });

  it.each([
    ['a close', { closeDuePeriods: failing, before: nothing }],
    ['a step', { closeDuePeriods: noPeriods, before: failing }],
  ])('is done behind %s that fails, and the failure is told', async (_what, { closeDuePeriods, before }) => {
    const { step, left } = stepOf(1);
    const runDueWork = createRunDueWork({ closeDuePeriods, steps: [before, step] });
    await expect(runDueWork(0)).rejects.toThrow('this one is broken');
    expect(left()).toBe(0);
  });
});
