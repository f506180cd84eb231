import type { Clock } from '@tollgate/kernel/clock';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { UsageStore } from './ports.ts';

/** Wraps any store: counts records by outcome and times each flush. */
export function withFlushMetrics(store: UsageStore, metrics: Metrics, clock: Clock): UsageStore {
  const records = metrics.counter('tollgate_aggregator_records_total', 'Records of the log by outcome.', ['outcome']);
  const seconds = metrics.histogram(
    'tollgate_aggregator_flush_seconds',
    'One flush: all of its statements and the commit.',
  );
  return {
    ...store,
    async commit(flush, countedThroughMs) {
      const started = clock.monotonicMs();
      const result = await store.commit(flush, countedThroughMs);
      seconds.observe((clock.monotonicMs() - started) / 1_000);
      for (const outcome of ['recorded', 'repeats', 'conflicts', 'undecodable'] as const)
        records.inc({ outcome }, result[outcome]);
      return result;
    },
  };
}
