import type { Clock } from '@tollgate/kernel/clock';
import type { EventAppender } from '@tollgate/event-log/event-log';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';

const recordsBuckets = [1, 10, 100, 1_000, 10_000];

export interface AppendMetricsDeps {
  readonly metrics: Metrics;
  readonly clock: Clock;
  onAppended(isDurable: boolean): void;
}

/**
 * Measures the duration, size and result of each append. `not_appended`: an event was counted, or nobody could tell in time.
 */
export function withAppendMetrics(
  eventLog: EventAppender,
  { metrics, clock, onAppended }: AppendMetricsDeps,
): EventAppender {
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
  async function measured<Positions>(count: number, append: () => Promise<Positions>): Promise<Positions> {
    const startedMs = clock.monotonicMs();
    let outcome: 'durable' | 'not_appended' | 'unknown' = 'unknown';
    try {
      const positions = await append();
      outcome = positions === undefined ? 'not_appended' : 'durable';
      return positions;
    } finally {
      seconds.observe({ outcome }, (clock.monotonicMs() - startedMs) / 1_000);
      if (outcome !== 'not_appended') {
        records.observe(count);
        onAppended(outcome === 'durable');
      }
    }
  }

  const { appendUnlessCounted } = eventLog;
  return {
    append: (topic, batch) => measured(batch.length, () => eventLog.append(topic, batch)),
    ...(appendUnlessCounted && {
      appendUnlessCounted: (topic, batch, eventIds) =>
        measured(batch.length, () => appendUnlessCounted(topic, batch, eventIds)),
    }),
  };
}
