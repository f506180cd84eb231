import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/runtime/lifecycle/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { RunDueWork } from '../app/run-due-work.ts';

export interface TickDeps {
  readonly runDueWork: RunDueWork;
  readonly clock: Clock;
  readonly log: Logger;
}

const everyMs = 30_000;

/** Looks for due work twice a minute. Safe in several processes at once, and to miss a round. */
export function createTick({ runDueWork, clock, log }: TickDeps): Service {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  async function tick(): Promise<void> {
    try {
      const { closedPeriods } = await runDueWork(clock.now());
      for (const closed of closedPeriods) log.info(closed, 'closed a period');
    } catch (error) {
      log.warn({ err: error }, 'could not do all that is due; the next round will');
    } finally {
      running = undefined;
    }
  }

  return {
    name: 'tick',
    async start() {
      timer = setInterval(() => {
        running ??= tick(); // a round that takes longer is not begun again
      }, everyMs).unref();
      running = tick();
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
