import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@tollgate/kernel/clock';

/** A process that does nothing but close works 20 to 46 % of its time. */
const busyShare = 0.6;
const restMaxMs = 1_000;

/**
 * Returns a function to be called between two batches of long work that others may wait for. It rests if this process was
 * busy with other things as well since the last call: for as long as that was, and a second at most. Resolves to the
 * milliseconds that it rested.
 */
export function createRestWhenBusy(): () => Promise<number> {
  let use = performance.eventLoopUtilization();
  let sinceMs = systemClock.monotonicMs();

  return async function restWhenBusy(): Promise<number> {
    const { utilization } = performance.eventLoopUtilization(use);
    const tookMs = systemClock.monotonicMs() - sinceMs;
    const restMs = utilization < busyShare ? 0 : Math.min(tookMs, restMaxMs);
    if (restMs > 0) await sleep(restMs);
    use = performance.eventLoopUtilization();
    sinceMs = systemClock.monotonicMs();
    return restMs;
  };
}
