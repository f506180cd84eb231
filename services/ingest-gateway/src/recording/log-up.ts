import { systemClock, toIso, type Clock } from '@tollgate/kernel/clock';
import type { Checks } from '@tollgate/kernel/service';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';

export interface LogUp {
  noteAppend(isDurable: boolean): void;
  noteLook(isThere: boolean): void;
  /** Says since when the log is away. The gateway stays ready: it answers all that needs no log. */
  readiness(): Checks;
}

/** A log that answers may take nothing all the same: its disk is full, or its replicas are lost. */
const failureTellsMs = 120_000;

/**
 * Whether the log takes events. An append tells, and where none comes a look does: the log is away from an append whose
 * outcome is unknown, or a look without an answer. It is back with a durable append, or with a look that is answered
 * when no append has failed for two minutes.
 */
export function createLogUp(metrics: Metrics, clock: Pick<Clock, 'monotonicMs'>): LogUp {
  const up = metrics.gauge(
    'tollgate_gateway_log_up',
    '1 while the event log takes events; 0 since an append failed or the log did not answer.',
  );
  let awaySinceMs: number | undefined;
  let failedAtMs = Number.NEGATIVE_INFINITY;
  set(true);

  function set(isUp: boolean): void {
    awaySinceMs = isUp ? undefined : (awaySinceMs ?? systemClock.now()); // as the lines of the log
    up.set(isUp ? 1 : 0);
  }

  return {
    noteAppend(isDurable) {
      failedAtMs = isDurable ? Number.NEGATIVE_INFINITY : clock.monotonicMs();
      set(isDurable);
    },
    noteLook(isThere) {
      if (!isThere || clock.monotonicMs() - failedAtMs >= failureTellsMs) set(isThere);
    },
    readiness: () => ({
      log: awaySinceMs === undefined ? 'ok' : `degraded: away since ${toIso(awaySinceMs)}, events get 503`,
    }),
  };
}
