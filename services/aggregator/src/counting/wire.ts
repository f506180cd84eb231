import { usageEventsGroup, usageEventsTopic } from '@tollgate/contracts/events/event-record';
import type { Database } from '@tollgate/database/database';
import type { EventLogReader } from '@tollgate/event-log/event-log';
import { readLastRecord } from '@tollgate/event-log/kafka/sql-cursor';
import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import type { KeyArchives } from '@tollgate/key-archive/key-archives';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { ClockCheck } from '@tollgate/runtime/timing/clock-check';
import type { WatermarkRules } from './counted-through.ts';
import { createCursors } from './cursors.ts';
import { EventLogTransport } from './event-log-transport.ts';
import { createLogCheck } from './log-check.ts';
import { createPgUsageStore } from './pg-usage-store.ts';
import { createProcessBatch } from './process-batch.ts';
import { traceBatches } from './trace-batches.ts';
import { createUsageConsumer } from './usage-consumer.ts';
import { createWatermarks } from './watermarks.ts';
import { withFlushMetrics } from './with-flush-metrics.ts';
import { withRightClock } from './with-right-clock.ts';

export interface CountingDeps {
  readonly database: Database;
  readonly ensureDays: (dates: readonly string[]) => Promise<void>;
  readonly archives: KeyArchives;
  readonly eventLog: EventLogReader;
  readonly rules: WatermarkRules;
  readonly clock: Clock;
  readonly clockCheck: Pick<ClockCheck, 'isRight'>;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Called when the service cannot read on without losing records. */
  readonly onFailed: (error: unknown) => void;
}

export interface Counting {
  /** At its start every partition of the topic gets its cursor. */
  readonly registration: Service;
  readonly watermarks: Service;
  /** None for a log that is in the database. */
  readonly logChecks: readonly Service[];
  readonly consumer: Service;
}

export function wireCounting(deps: CountingDeps): Counting {
  const { database, ensureDays, archives, eventLog, rules, clock, clockCheck, log, metrics, onFailed } = deps;
  const topic = usageEventsTopic;
  const pgStore = createPgUsageStore({ database, ensureDays, archives, clock });
  const store = withRightClock(withFlushMetrics(pgStore, metrics, clock), clockCheck, clock);
  const cursors = createCursors(store, topic);
  const watermarks = createWatermarks({ store, topic, rules, clock, log });
  const transport = new EventLogTransport({
    eventLog,
    group: usageEventsGroup,
    nextOffset: cursors.read,
    lastRecord: (partition) => readLastRecord(database, topic, partition),
    onCaughtUp: async (partition, nextOffset, asOf) => watermarks.noteCaughtUp(partition, nextOffset, asOf),
    onPartitions: (partitions) => store.registerPartitions(topic, partitions),
    onFailed,
  });
  const registration = {
    name: 'partitions',
    start: async () => store.registerPartitions(topic, await eventLog.partitionsOf(topic)),
    stop: async () => undefined,
  };
  const consumer = createUsageConsumer(transport, traceBatches(createProcessBatch({ store, cursors, rules, clock })));
  const { probe } = eventLog;
  const logChecks = probe ? [createLogCheck({ probe, topic, log, metrics })] : [];
  return { registration, watermarks, logChecks, consumer };
}
