import type { Clock } from '@tollgate/kernel/clock';

const awayAfter = 5;
const awayMs = 30_000;

/** Whether the processor answers, by what its last calls came to. */
export interface ProcessorReach {
  /** It gave no answer several times in a row, a moment ago: another call would only wait as long. */
  isAway(): boolean;
  answered(): void;
  unanswered(): void;
}

/**
 * Without it each of ten thousand orders would wait for its own time-out, and the work behind them for all of these; and
 * each would have an outcome to be looked up. After half a minute the next call finds out, and one more failure is enough.
 */
export function createProcessorReach(clock: Clock): ProcessorReach {
  let unansweredInRow = 0;
  let awayUntilMs = -Infinity;
  return {
    isAway: () => clock.now() < awayUntilMs,
    answered() {
      unansweredInRow = 0;
      awayUntilMs = -Infinity;
    },
    unanswered() {
      unansweredInRow += 1;
      if (unansweredInRow >= awayAfter) awayUntilMs = clock.now() + awayMs;
    },
  };
}
