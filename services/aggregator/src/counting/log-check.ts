import { createLogWatch } from '@tollgate/event-log/log-watch';
import type { EventLogReader } from '@tollgate/event-log/event-log';
import { systemClock, toIso } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';

export interface LogCheckOptions {
  readonly probe: NonNullable<EventLogReader['probe']>;
  readonly topic: string;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** The service is not ready while its log does not answer: it counts nothing. */
export function createLogCheck({ metrics, ...watched }: LogCheckOptions): Service {
  const up = metrics.gauge('tollgate_aggregator_log_up', '1 while the event log answers; 0 while it does not.');
  up.set(1);
  let awaySinceMs: number | undefined;
  const watch = createLogWatch({
    ...watched,
    onLook(isThere) {
      awaySinceMs = isThere ? undefined : (awaySinceMs ?? systemClock.now()); // as the lines of the log
      up.set(isThere ? 1 : 0);
    },
  });
  return {
    ...watch,
    readiness: () => ({
      log: awaySinceMs === undefined ? 'ok' : `away since ${toIso(awaySinceMs)}, nothing is counted`,
    }),
  };
}
