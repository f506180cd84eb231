import { systemClock } from '@tollgate/kernel/clock';
import { eventually } from './eventually.ts';

interface Job {
  look(): Promise<unknown>;
  stop(): Promise<void>;
}

/** Stops a job while its look waits for something. Returns how many ms the stop takes. */
export async function stopWhileWaiting(job: Job, isWaiting: () => Promise<boolean>): Promise<number> {
  const looked = job.look();
  await eventually(isWaiting, { withinMs: 1_500 });
  const startedMs = systemClock.monotonicMs();
  await job.stop();
  await looked;
  return systemClock.monotonicMs() - startedMs;
}
