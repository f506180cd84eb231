import type { CloseDuePeriods, ClosedPeriod } from './close-due-periods.ts';

export interface DueWork {
  readonly closedPeriods: readonly ClosedPeriod[];
}

/**
 * The one way in for all that becomes due by itself: the tick calls it, and so does whoever moves the clock; in one process
 * they take turns. Resolved: nothing is due any more. Rejected: some of it may be done; calling it again does the rest, and
 * nothing twice.
 */
export function createRunDueWork({ closeDuePeriods }: { readonly closeDuePeriods: CloseDuePeriods }) {
  let last: Promise<unknown> = Promise.resolve();

  return async function runDueWork(nowMs: number): Promise<DueWork> {
    const turn = last.then(() => work(nowMs));
    last = turn.catch(() => undefined); // whoever called is told; the next one's turn comes all the same
    return turn;
  };

  async function work(nowMs: number): Promise<DueWork> {
    return { closedPeriods: await closeDuePeriods(nowMs) };
  }
}

export type RunDueWork = ReturnType<typeof createRunDueWork>;
