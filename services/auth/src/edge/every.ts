import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';

interface Job {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<void>;
}

/** Runs a job again and again, never twice at once, by real time. What failed is tried in the next round. */
export function every({ name, everyMs, run }: Job, log: Logger): Service {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let isStopped = false;
  return {
    name,
    start() {
      schedule();
      return Promise.resolve();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };

  function schedule(): void {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = runOnce().then(schedule);
    }, everyMs).unref();
  }

  async function runOnce(): Promise<void> {
    await run().catch((error: unknown) => log.warn({ job: name, err: error }, 'a job failed; it runs again later'));
  }
}
