import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { RunDueWork } from './run-due-work.ts';
import { every, type Repeated } from '@tollgate/runtime/timing/every';

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
