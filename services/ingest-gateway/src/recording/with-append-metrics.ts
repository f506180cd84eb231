import type { Clock } from '@tollgate/kernel/clock';
import type { EventAppender } from '@tollgate/event-log/event-log';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';

const recordsBuckets = [1, 10, 100, 1_000, 10_000];

/** Measures the duration, size and result of each append. */
export function withAppendMetrics(eventLog: EventAppender, metrics: Metrics, clock: Clock): EventAppender {
  const seconds = metrics.histogram(
    'tollgate_gateway_append_seconds',
    'Time from handing a batch to the event log to its answer.',
    {
      labels: ['outcome'],
    },
  );
  const records = metrics.histogram('tollgate_gateway_append_records', 'Records of one append.', {
    buckets: recordsBuckets,
  });

  return {
    async append(topic, batch) {
      const startedMs = clock.monotonicMs();
      const observe = (outcome: string): void =>
        seconds.observe({ outcome }, (clock.monotonicMs() - startedMs) / 1_000);
      records.observe(batch.length);
      try {
        const positions = await eventLog.append(topic, batch);
        observe('durable');
        return positions;
      } catch (error) {
        observe('unknown');
        throw error;
      }
    },
  };
}
