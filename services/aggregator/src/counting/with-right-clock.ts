import type { Clock } from '@tollgate/kernel/clock';
import type { ClockCheck } from '@tollgate/runtime/timing/clock-check';
import type { UsageStore } from './ports.ts';

/**
 * Wraps any store: while the machine's clock is wrong, records are counted and no watermark moves. A watermark that was
 * noted with a wrong clock lies ahead of the right one, and is left out.
 */
export function withRightClock(store: UsageStore, clockCheck: Pick<ClockCheck, 'isRight'>, clock: Clock): UsageStore {
  return {
    ...store,
    commit: (flush, countedThroughMs) => store.commit(flush, clockCheck.isRight() ? countedThroughMs : undefined),
    async moveWatermarks(topic, watermarks) {
      const nowMs = clock.now();
      const possible = clockCheck.isRight() ? watermarks.filter(({ countedThrough }) => countedThrough <= nowMs) : [];
      if (possible.length > 0) await store.moveWatermarks(topic, possible);
    },
  };
}
