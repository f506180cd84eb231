import type { Service } from '@tollgate/kernel/service';
import { outsideOfSpans } from '@tollgate/telemetry/tracer';
import type { Logger } from '../logging/create-logger.ts';
import { coalesce } from './coalesce.ts';

export interface EveryOptions {
  readonly name: string;
  /** The pause between the end of a run and the next run. It passes by real time, however a movable clock is moved. */
  readonly everyMs: number | (() => number);
  /** When the first run begins: 'after a pause' if not given. */
  readonly first?: 'at once' | 'after a pause';
  readonly log: Pick<Logger, 'warn'>;
  run(): Promise<void>;
}

export interface Repeated extends Service {
  /** Runs at once, or right after the run that is going on. Does nothing before `start` and after `stop`. */
  announce(): void;
  /** As `announce`, but also before `start` and after `stop`. Resolves when that run has ended, and never rejects. */
  runNow(): Promise<void>;
}

/**
 * Runs the work again and again, never twice at once. A run that fails is logged; the next run tries again. `stop` waits
 * for the run that is going on. The timer alone does not keep a process alive.
 */
export function every({ name, everyMs, first = 'after a pause', log, run }: EveryOptions): Repeated {
  let timer: NodeJS.Timeout | undefined;
  let phase: 'new' | 'started' | 'stopped' = 'new';
  let isAsked = false;
  let last = Promise.resolve();

  const runOnce = coalesce(async () => {
    if (phase === 'stopped' && !isAsked) return;
    isAsked = false;
    await run().catch((error: unknown) => log.warn({ job: name, err: error }, 'a job failed and runs again later'));
  });

  function runShared(): Promise<void> {
    last = runOnce();
    return last;
  }

  function schedule(): void {
    clearTimeout(timer);
    const pauseMs = typeof everyMs === 'number' ? everyMs : everyMs();
    if (phase === 'started') timer = setTimeout(runAndSchedule, pauseMs).unref();
  }

  function runAndSchedule(): void {
    outsideOfSpans(() => void runShared().then(schedule));
  }

  return {
    name,
    async start() {
      phase = 'started';
      if (first === 'at once') runAndSchedule();
      else schedule();
    },
    async stop() {
      phase = 'stopped';
      clearTimeout(timer);
      await last;
    },
    announce() {
      if (phase === 'started') runAndSchedule();
    },
    runNow() {
      isAsked = true;
      return outsideOfSpans(runShared);
    },
  };
}
