import type { Clock } from '@tollgate/kernel/clock';

const awayAfter = 5;
const awayMs = 30_000;

/** Says whether the processor answers, judged by its last calls. */
export interface ProcessorReach {
  /**
   * True after several calls in a row without an answer, for half a minute. Another call would probably wait in vain.
   */
  isAway(): boolean;
  answered(): void;
  unanswered(): void;
}

/**
 * Counts calls without an answer. Otherwise each of ten thousand orders would wait for its own time-out, and work
 * behind them for all of these. Each order would also leave an outcome to look up. After half a minute the next call
 * tries again, and one more failure is enough.
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
