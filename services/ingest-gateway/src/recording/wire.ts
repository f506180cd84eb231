import { usageEventsTopic } from '@tollgate/contracts/events/event-record';
import type { EventAppender } from '@tollgate/event-log/event-log';
import { createLogWatch } from '@tollgate/event-log/log-watch';
import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { Config } from '../config.ts';
import type { PassOf } from '../passes/pass-of.ts';
import type { EventIds } from '../submissions/event-ids.ts';
import type { AdmitEvent, IsUncapped } from '../gate/deciding/admit-event.ts';
import type { Keys } from '../keys/keys.ts';
import type { ToolDirectory } from '../tools/tool-directory.ts';
import { createAppendEvent } from './append-event.ts';
import { createAppendQueue } from './append-queue.ts';
import { createCountOutcome } from './count-outcomes.ts';
import { createHeld } from './held.ts';
import { createHeldGauges } from './held-gauges.ts';
import { createLogUp } from './log-up.ts';
import { createRecordEventBatchHandler } from './record-event-batch-handler.ts';
import { createRecordEventHandler } from './record-event-handler.ts';
import { createRecordEvents } from './record-events.ts';
import { createTraceEvent } from './trace-events.ts';
import { withAppendMetrics } from './with-append-metrics.ts';

export interface RecordingDeps {
  readonly eventLog: EventAppender;
  readonly tools: ToolDirectory;
  readonly keys: Keys;
  readonly eventIds: EventIds;
  readonly passOf: PassOf;
  readonly admitEvent: AdmitEvent;
  readonly isUncapped: IsUncapped;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** The path of an event from the request to the log. The handlers have the names of their operations. */
export function wireRecording(config: Config, deps: RecordingDeps) {
  const { eventLog, tools, keys, eventIds, passOf, admitEvent, isUncapped, clock, log, metrics } = deps;
  const logUp = createLogUp(metrics, clock);
  const measured = withAppendMetrics(eventLog, { metrics, clock, onAppended: logUp.noteAppend });
  const queue = createAppendQueue({ topic: usageEventsTopic, eventLog: measured, keys: keys.checks, clock, log });
  const claim = keys.claimFor(createAppendEvent({ tools, queue, admitEvent, isUncapped }));
  const held = createHeld({
    eventsMax: config.HELD_EVENTS_MAX,
    bytesMax: config.HELD_BYTES_MAX,
    onChange: createHeldGauges(metrics),
  });
  const appendDeadlineMs = config.APPEND_DEADLINE_MS;
  const recordEvents = createRecordEvents({
    appendDeadlineMs,
    claim,
    held,
    eventIds,
    clock,
    traceEvent: createTraceEvent(),
  });
  const handlerDeps = { passOf, recordEvents, held, countOutcome: createCountOutcome(metrics) };
  const appendsEnd: Service = {
    name: 'appends',
    start: async () => undefined,
    async stop() {
      // The keys that appends leave out are looked up, and then appended: so the queue ends twice.
      for (const ended of [queue.idle, keys.idle, queue.idle]) await ended();
    },
  };
  const { probe } = eventLog;
  const logWatches = probe ? [createLogWatch({ probe, topic: usageEventsTopic, log, onLook: logUp.noteLook })] : [];
  const { handleRecordEvent, recordBody } = createRecordEventHandler(handlerDeps);
  return {
    handlers: { recordEvent: handleRecordEvent, recordEvents: createRecordEventBatchHandler(handlerDeps) },
    forLine: { ...handlerDeps, recordBody },
    services: [appendsEnd, ...logWatches],
    readiness: logUp.readiness,
  };
}
