import { systemClock, toIso, type Clock } from '@tollgate/kernel/clock';
import type { EventAppender } from '@tollgate/event-log/event-log';
import type { Checks } from '@tollgate/kernel/service';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';

const recordsBuckets = [1, 10, 100, 1_000, 10_000];

export interface MeasuredLog {
  readonly eventLog: EventAppender;
  /** Says since when the log has taken nothing. The gateway stays ready: it answers all that needs no log. */
  readiness(): Checks;
}

/**
 * Measures the duration, size and result of each append. `not_appended`: an event was counted, or nobody could tell in time.
 * The log is away from an append whose outcome is unknown until one is durable.
 */
export function withAppendMetrics(eventLog: EventAppender, metrics: Metrics, clock: Clock): MeasuredLog {
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
  const up = metrics.gauge(
    'tollgate_gateway_log_up',
    '1 while the event log takes events; 0 since an append failed, until one is durable.',
  );
  up.set(1);
  let awaySinceMs: number | undefined;

  function noteDurable(isDurable: boolean): void {
    awaySinceMs = isDurable ? undefined : (awaySinceMs ?? systemClock.now()); // as the lines of the log
    up.set(isDurable ? 1 : 0);
  }

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
        noteDurable(outcome === 'durable');
      }
    }
  }

  const { appendUnlessCounted } = eventLog;
  return {
    eventLog: {
      append: (topic, batch) => measured(batch.length, () => eventLog.append(topic, batch)),
      ...(appendUnlessCounted && {
        appendUnlessCounted: (topic, batch, eventIds) =>
          measured(batch.length, () => appendUnlessCounted(topic, batch, eventIds)),
      }),
    },
    readiness: () => ({
      log: awaySinceMs === undefined ? 'ok' : `degraded: away since ${toIso(awaySinceMs)}, events get 503`,
    }),
  };
}
