import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@tollgate/kernel/clock';

/** Of its time, a process that does nothing but close works some 30 %. */
const busyShare = 0.6;
const restMaxMs = 1_000;

/**
 * Returns a function to be called after each batch of long work that others may wait for. If this process was busy with
 * other things as well since the last call, it rests for as long as that was, so requests have half of the time.
 * Resolves to the milliseconds that it rested.
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
