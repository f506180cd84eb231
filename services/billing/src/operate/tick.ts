import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { RunDueWork } from './run-due-work.ts';
import { createRound, type Round } from './create-round.ts';

export interface TickDeps {
  readonly runDueWork: RunDueWork;
  readonly clock: Clock;
  readonly log: Logger;
}

const everyMs = 30_000;

/** Looks for due work twice a minute. Safe in several processes at once, and to miss a round. */
export function createTick({ runDueWork, clock, log }: TickDeps): Round {
  async function tick(): Promise<void> {
    const { closedPeriods } = await runDueWork(clock.now());
    for (const closed of closedPeriods) log.info(closed, 'closed a period');
  }
  return createRound({ name: 'tick', run: tick, everyMs, log });
}
