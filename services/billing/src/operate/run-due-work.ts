import type { Clock } from '@tollgate/kernel/clock';
import { startSlice, wholeSlice, type TimeSlice } from '@tollgate/runtime/timing/time-slice';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { every, type Repeated } from '@tollgate/runtime/timing/every';
import type { CloseDuePeriods, ClosedPeriod } from '../invoicing/close-due-periods.ts';

/**
 * Does the due work of one kind, for as long as its slice has time. Returns how much it did; work that it could not do now
 * does not count. A subject, such as an invoice, gets at most one order to the processor per call.
 */
export type DueStep = (nowMs: number, slice?: TimeSlice) => Promise<number>;

export interface DueWorkDeps {
  readonly closeDuePeriods: CloseDuePeriods;
  /** Run in this order after the closes; each step may create work for later ones. */
  readonly steps: readonly DueStep[];
  readonly clock: Clock;
  /** A run that has taken so long begins no further pass. */
  readonly runMs?: number;
  /** When a step has taken so long, the others get their turns. */
  readonly sliceMs?: number;
}

export interface DueWork {
  readonly closedPeriods: readonly ClosedPeriod[];
  /** All that was due by this time has been done. Undefined: some of it is left. */
  readonly workedThroughMs: number | undefined;
  /** The run has ended for lack of time, while it was getting work done. */
  readonly isMoreDue: boolean;
}

/**
 * Runs due work, pass after pass, until nothing is left or the time of a run is over. The tick calls it, and so does moving
 * the sandbox clock; in one process such calls take turns.
 *
 * No subject stops others, however large it is (F268). A step has a slice of each pass, and in the next one it goes on from
 * there. Each pass reads the clock anew, so that what becomes due meanwhile is done, too.
 *
 * A step that fails does not hold up the others. The call then rejects with the first failure, at the end of the pass.
 * The next call does the rest, and nothing twice.
 */
export function createRunDueWork({ closeDuePeriods, steps, clock, runMs = 10_000, sliceMs = 2_000 }: DueWorkDeps) {
  let closedPeriods: ClosedPeriod[] = [];
  const close: DueStep = async (nowMs, slice = wholeSlice) => {
    let isCut = false;
    const leaveRest = (): void => {
      isCut = true;
      slice.leaveRest();
    };
    const closed = await closeDuePeriods(nowMs, { hasTime: slice.hasTime, leaveRest });
    closedPeriods.push(...closed);
    return closed.length + (isCut ? 1 : 0); // a close that was cut had done a batch
  };
  const { runPass, works, workedThroughMs } = createPasses([close, ...steps], { clock, sliceMs });
  let last: Promise<unknown> = Promise.resolve();

  return async function runDueWork(): Promise<DueWork> {
    const turn = last.then(run);
    last = turn.catch(() => undefined); // the caller gets the failure; the next turn comes all the same
    return turn;
  };

  async function run(): Promise<DueWork> {
    closedPeriods = [];
    const [startMs, worksBefore, untilMs] = [clock.now(), works(), clock.monotonicMs() + runMs];
    for (;;) {
      await runPass();
      const throughMs = workedThroughMs();
      const isComplete = throughMs !== undefined && throughMs >= startMs;
      if (!isComplete && clock.monotonicMs() < untilMs) continue;
      return { closedPeriods, workedThroughMs: throughMs, isMoreDue: !isComplete && works() > worksBefore };
    }
  }
}

export type RunDueWork = ReturnType<typeof createRunDueWork>;

/** A step's way through all that is due, in as many passes as it needs. */
interface Round {
  readonly beganMs: number;
  /** How often any step had done work before. */
  readonly works: number;
}

/** Runs passes, and remembers how far the rounds of the steps have come. */
function createPasses(
  steps: readonly DueStep[],
  { clock, sliceMs }: { readonly clock: Clock; readonly sliceMs: number },
) {
  const rounds = steps.map((step): { step: DueStep; open?: Round; whole?: Round } => ({ step }));
  let works = 0;

  /** Runs each step once, also after one that fails. */
  async function runPass(): Promise<void> {
    const nowMs = clock.now();
    const failures: unknown[] = [];
    for (const of of rounds) {
      const round = of.open ?? { beganMs: nowMs, works };
      delete of.open;
      const slice = startSlice(clock, sliceMs);
      try {
        if ((await of.step(nowMs, slice)) > 0) works += 1;
        of[slice.isRestLeft() ? 'open' : 'whole'] = round;
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Work may create work for every step. So all is done once each step has made a round that began after the last work. */
  function workedThroughMs(): number | undefined {
    const quiet = rounds.map(({ whole }) => (whole?.works === works ? whole.beganMs : undefined));
    return quiet.reduce((least, ms) => (least === undefined || ms === undefined ? undefined : Math.min(least, ms)));
  }

  return { runPass, workedThroughMs, works: () => works };
}

export interface TickDeps {
  readonly runDueWork: RunDueWork;
  readonly log: Logger;
}

const everyMs = 30_000;

/**
 * Runs due work twice a minute, and at once again while a run ends with more to do. Safe in several processes at once, and to
 * miss a round.
 */
export function createTick({ runDueWork, log }: TickDeps): Repeated {
  async function tick(): Promise<void> {
    const { closedPeriods, isMoreDue } = await runDueWork();
    for (const closed of closedPeriods) log.info(closed, 'closed a period');
    if (isMoreDue) ticking.announce();
  }
  const ticking = every({ name: 'tick', run: tick, everyMs, first: 'at once', log });
  return ticking;
}
