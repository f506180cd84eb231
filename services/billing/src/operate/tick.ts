import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { RunDueWork } from './run-due-work.ts';
import { every, type Repeated } from '@tollgate/runtime/timing/every';

export interface TickDeps {
  readonly runDueWork: RunDueWork;
  readonly clock: Clock;
  readonly log: Logger;
}

const everyMs = 30_000;

/** Runs due work twice a minute. Safe in several processes at once, and to miss a round. */
export function createTick({ runDueWork, clock, log }: TickDeps): Repeated {
  async function tick(): Promise<void> {
    const { closedPeriods } = await runDueWork(clock.now());
    for (const closed of closedPeriods) log.info(closed, 'closed a period');
  }
  return every({ name: 'tick', run: tick, everyMs, first: 'at once', log });
}
