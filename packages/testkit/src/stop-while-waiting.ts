import { systemClock } from '@tollgate/kernel/clock';
import { eventually } from './eventually.ts';

interface Job {
  look(): Promise<unknown>;
  stop(): Promise<void>;
}

/** How long a job's stop takes, in ms, that is told once its look waits for something. */
export async function stopWhileWaiting(job: Job, isWaiting: () => Promise<boolean>): Promise<number> {
  const looked = job.look();
  await eventually(isWaiting, { withinMs: 1_500 });
  const startedMs = systemClock.monotonicMs();
  await job.stop();
  await looked;
  return systemClock.monotonicMs() - startedMs;
}
