import type { CloseDuePeriods, ClosedPeriod } from '../invoicing/close-due-periods.ts';

/** Does the due work of one kind. Returns how much it did; work that it could not do now does not count. */
export type DueStep = (nowMs: number) => Promise<number>;

export interface DueWorkDeps {
  readonly closeDuePeriods: CloseDuePeriods;
  /** Run in this order after the closes; each step may create work for later ones. */
  readonly steps: readonly DueStep[];
}

export interface DueWork {
  readonly closedPeriods: readonly ClosedPeriod[];
}

/**
 * Runs all due work. The tick calls it, and so does moving the sandbox clock; in one process such calls take turns.
 * When it resolves, a whole pass found nothing more to do.
 *
 * A step that fails does not hold up the others. The call then rejects with the first failure, at the end of the pass.
 * The next call does the rest, and nothing twice.
 */
export function createRunDueWork({ closeDuePeriods, steps }: DueWorkDeps) {
  let last: Promise<unknown> = Promise.resolve();

  return async function runDueWork(nowMs: number): Promise<DueWork> {
    const turn = last.then(() => work(nowMs));
    last = turn.catch(() => undefined); // the caller gets the failure; the next turn comes all the same
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

/** Runs each step once, also after one that fails. Returns how much they did. */
async function pass(steps: readonly DueStep[], nowMs: number): Promise<number> {
  let count = 0;
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      count += await step(nowMs);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return count;
}
