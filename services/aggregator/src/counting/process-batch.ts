import type { Clock } from '@tollgate/kernel/clock';
import type { LogBatch } from '@tollgate/event-log/event-log';
import { countedThrough, type WatermarkRules } from './counted-through.ts';
import { planFlush } from './plan-flush.ts';
import type { Cursors } from './cursors.ts';
import type { UsageStore } from './ports.ts';

export interface ProcessBatchDeps {
  readonly store: UsageStore;
  readonly cursors: Cursors;
  readonly rules: WatermarkRules;
  readonly clock: Clock;
}

/** Counts one batch of one partition. Resolved: every record is durable, as event, repeat or dead letter. Rejected: hand it out again. */
export function createProcessBatch({ store, cursors, rules, clock }: ProcessBatchDeps) {
  return async function processBatch(batch: LogBatch): Promise<void> {
    const flush = planFlush(batch, await cursors.current(batch.partition));
    if (flush === undefined) return;
    const seen = flush.lastReceivedAt;
    const through = seen === undefined ? undefined : countedThrough(seen, clock.now(), rules);
    try {
      await store.commit(flush, through);
      cursors.remember(flush.partition, flush.nextOffset);
    } catch (error) {
      cursors.forget(flush.partition); // the flush was refused or its outcome is unknown: only the database knows the cursor
      throw error;
    }
  };
}
