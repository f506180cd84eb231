import type { CloseDuePeriods, ClosedPeriod } from '../invoicing/close-due-periods.ts';

/** Does what is due of one kind. Answers how much of it got done; what could not be done now does not count. */
export type DueStep = (nowMs: number) => Promise<number>;

export interface DueWorkDeps {
  readonly closeDuePeriods: CloseDuePeriods;
  /** In this order after the closes: each may make work for those behind it. */
  readonly steps: readonly DueStep[];
}

export interface DueWork {
  readonly closedPeriods: readonly ClosedPeriod[];
}

/**
 * The one way in for all that becomes due by itself: the tick calls it, and so does whoever moves the clock; in one process
 * they take turns. Resolved: a whole pass found nothing more to do. Rejected, with the first failure: one step that fails holds
 * up no other, so all that could be done in a pass is done; calling it again does the rest, and nothing twice.
 */
export function createRunDueWork({ closeDuePeriods, steps }: DueWorkDeps) {
  let last: Promise<unknown> = Promise.resolve();

  return async function runDueWork(nowMs: number): Promise<DueWork> {
    const turn = last.then(() => work(nowMs));
    last = turn.catch(() => undefined); // whoever called is told; the next one's turn comes all the same
    return turn;
  };

  async function work(nowMs: number): Promise<DueWork> {
    const closedPeriods: ClosedPeriod[] = [];
    const close: DueStep = async () => {
      const closed = await closeDuePeriods(nowMs);
      closedPeriods.push(...closed);
      return closed.length;
    };
    for (;;) if ((await pass([close, ...steps], nowMs)) === 0) return { closedPeriods };
  }
}

export type RunDueWork = ReturnType<typeof createRunDueWork>;

/** Each step once, also behind one that fails. */
async function pass(steps: readonly DueStep[], nowMs: number): Promise<number> {
  let done = 0;
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      done += await step(nowMs);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return done;
}
