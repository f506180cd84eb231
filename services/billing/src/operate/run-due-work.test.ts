import { describe, expect, it } from '@jest/globals';
import type { TimeSlice } from '@tollgate/runtime/timing/time-slice';
import { createRunDueWork, type DueStep } from './run-due-work.ts';

const nothing = async () => 0;
const noPeriods = async () => [];
const failing = async (): Promise<never> => {
  throw new Error('this one is broken');
};

/** It stands still; tests move it. Its two times move together. */
function handClock() {
  let ms = 1_000;
  const read = () => ms;
  return { now: read, monotonicMs: read, advance: (byMs: number) => void (ms += byMs) };
}

/** A step that has so much to do, one at a time. */
function stepOf(count: number, onWork: () => void = () => undefined) {
  let left = count;
  const step: DueStep = async () => {
    if (left === 0) return 0;
    left -= 1;
    onWork();
    return 1;
  };
  return { step, left: () => left };
}

describe('due work', () => {
  it('is repeated until a pass finds nothing', async () => {
    const { step, left } = stepOf(3);
    const closes = [['2026-01'], ['2026-02']];
    const closeDuePeriods = async () => (closes.shift() ?? []).map((period) => ({ period, invoices: 0 }));
    const runDueWork = createRunDueWork({ closeDuePeriods, steps: [nothing, step], clock: handClock() });
    const { closedPeriods, workedThroughMs, isMoreDue } = await runDueWork();
    expect(left()).toBe(0);
    expect(closedPeriods.map(({ period }) => period)).toEqual(['2026-01', '2026-02']);
    expect([workedThroughMs, isMoreDue]).toEqual([1_000, false]);
    expect(await runDueWork()).toMatchObject({ closedPeriods: [] });
  });

  it.each([
    ['a close', { closeDuePeriods: failing, before: nothing }],
    ['a step', { closeDuePeriods: noPeriods, before: failing }],
  ])('is done behind %s that fails, and the failure is reported', async (_what, { closeDuePeriods, before }) => {
    const { step, left } = stepOf(1);
    const runDueWork = createRunDueWork({ closeDuePeriods, steps: [before, step], clock: handClock() });
    await expect(runDueWork()).rejects.toThrow('this one is broken');
    expect(left()).toBe(0);
  });

  it('F268 of one kind lets the others do what becomes due while it goes on', async () => {
    const clock = handClock();
    const large = stepOf(50, () => clock.advance(100));
    const doneAt: number[] = [];
    const dueAt2000: DueStep = async (nowMs) => {
      if (nowMs < 2_000 || doneAt.length > 0) return 0;
      return doneAt.push(clock.now());
    };
    await createRunDueWork({ closeDuePeriods: noPeriods, steps: [large.step, dueAt2000], clock })();
    expect(doneAt[0]).toBeLessThanOrEqual(2_100);
  });

  it('F268 ends after its time, says that more is due, and the next run goes on', async () => {
    const clock = handClock();
    const { step, left } = stepOf(50, () => clock.advance(100));
    const runDueWork = createRunDueWork({ closeDuePeriods: noPeriods, steps: [step], clock, runMs: 3_000 });
    expect(await runDueWork()).toEqual({ closedPeriods: [], workedThroughMs: undefined, isMoreDue: true });
    expect(left()).toBe(20);
    expect(await runDueWork()).toMatchObject({ workedThroughMs: 6_000, isMoreDue: false });
  });

  it('F268 gives a step a slice of each pass, and is complete once a whole round found nothing', async () => {
    const clock = handClock();
    let place = 0;
    const visited: number[] = [];
    const slow = async (_nowMs: number, slice?: TimeSlice): Promise<number> => {
      for (; place < 6; place += 1) {
        if (!slice?.hasTime()) {
          slice?.leaveRest();
          return 0;
        }
        visited.push(place);
        clock.advance(600);
      }
      place = 0;
      return 0;
    };
    const other = stepOf(2);
    const steps = [slow, other.step];
    const runDueWork = createRunDueWork({ closeDuePeriods: noPeriods, steps, clock, runMs: 60_000 });
    // The first round takes two passes, and the other step works in both: only the second round finds all quiet.
    expect(await runDueWork()).toMatchObject({ workedThroughMs: 1_000 + 6 * 600, isMoreDue: false });
    expect(visited).toEqual([0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5]);
  });

  it('F268 closes a month in slices, and the others do what becomes due in between', async () => {
    const clock = handClock();
    let batches = 40;
    const closeDuePeriods = async (_nowMs: number, slice?: TimeSlice) => {
      while (batches > 0) {
        batches -= 1;
        clock.advance(500);
        if (slice?.hasTime() !== false) continue;
        slice.leaveRest();
        return [];
      }
      return [{ period: '2026-01', invoices: 40 }];
    };
    const doneAt: number[] = [];
    const dueAt2000: DueStep = async (nowMs) => (nowMs < 2_000 || doneAt.length > 0 ? 0 : doneAt.push(clock.now()));
    const runDueWork = createRunDueWork({ closeDuePeriods, steps: [dueAt2000], clock });
    expect(await runDueWork()).toEqual({ closedPeriods: [], workedThroughMs: undefined, isMoreDue: true });
    expect(doneAt[0]).toBeLessThanOrEqual(5_000);
    expect(batches).toBe(20);
  });

  it('F268 that only looks asks for no further run, however long a round takes', async () => {
    const clock = handClock();
    const endless = async (_nowMs: number, slice?: TimeSlice): Promise<number> => {
      clock.advance(2_000);
      slice?.leaveRest();
      return 0;
    };
    const runDueWork = createRunDueWork({ closeDuePeriods: noPeriods, steps: [endless], clock });
    expect(await runDueWork()).toMatchObject({ workedThroughMs: undefined, isMoreDue: false });
  });
});
