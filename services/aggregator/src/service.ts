import { usageEventsTopic } from '@tollgate/contracts/event-record';
import type { Clock } from '@tollgate/kernel/clock';
import type { EventLogReader } from '@tollgate/event-log/event-log';
import { combine } from '@tollgate/runtime/lifecycle/combine';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { createDatabase } from '@tollgate/database/database';
import { createPgRetentionStore } from './retention/pg-retention-store.ts';
import { createPgUsageStore } from './counting/pg-usage-store.ts';
import { withFlushMetrics } from './counting/with-flush-metrics.ts';
import { createCursors } from './counting/cursors.ts';
import { createProcessBatch } from './counting/process-batch.ts';
import { rebuildRollups, type RebuildResult } from './rollups/rebuild-rollups.ts';
import { createWatermarks } from './counting/watermarks.ts';
import type { Config } from './config.ts';
import { EventLogTransport } from './counting/event-log-transport.ts';
import { createUsageConsumer } from './counting/usage-consumer.ts';
import { createNightlyRollupCheck } from './rollups/check-rollups-nightly.ts';
import { createRetention } from './retention/retention.ts';

export interface AggregatorDeps {
  readonly eventLog: EventLogReader;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Counting cannot go on without losing records: the process should end and say so. */
  readonly onFailed: (error: unknown) => void;
}

/** As many flushes as the log lets run at once, the watermarks, and one that asks for a cursor. */
const connectionsHeld = 6;
const rebuildTimeoutMs = 3_600_000;

/** Counts the log: events, keys, rollups, dead letters, cursor and watermark, one transaction a batch. */
export function createAggregator(config: Config, { eventLog, clock, log, metrics, onFailed }: AggregatorDeps): Service {
  const topic = usageEventsTopic;
  const database = createDatabase({
    url: config.DATABASE_WORKER_URL,
    name: 'aggregator',
    maxConnections: connectionsHeld,
    holdsConnections: true,
    log,
  });
  const days = createPgRetentionStore(database);
  const store = withFlushMetrics(createPgUsageStore({ database, ensureDays: days.ensureDays, clock }), metrics, clock);
  const rules = { appendDeadlineMs: config.APPEND_DEADLINE_MS, clockSkewMaxMs: config.CLOCK_SKEW_MAX_MS };

  const cursors = createCursors(store, topic);
  const watermarks = createWatermarks({ store, topic, rules, clock, log });
  const transport = new EventLogTransport({
    eventLog,
    group: 'aggregator',
    nextOffset: cursors.read,
    onCaughtUp: async (partition, nextOffset, asOf) => watermarks.noteCaughtUp(partition, nextOffset, asOf),
    onPartitions: (partitions) => store.registerPartitions(topic, partitions),
    onFailed,
  });
  const consumer = createUsageConsumer(transport, createProcessBatch({ store, cursors, rules, clock }));
  const registration = {
    name: 'partitions',
    start: async () => store.registerPartitions(topic, await eventLog.partitionsOf(topic)),
    stop: async () => undefined,
  };
  const retention = createRetention({
    store: days,
    eventRetentionDays: config.EVENT_RETENTION_DAYS,
    logRetentionDays: config.LOG_RETENTION_DAYS,
    clock,
    log,
  });
  const rollupCheck = createNightlyRollupCheck({
    database: createDatabase({
      url: config.DATABASE_WORKER_URL,
      name: 'nightly-rollup-check',
      maxConnections: 1,
      statementTimeoutMs: rebuildTimeoutMs,
      whenStopped: 'cancel',
      log,
    }),
    clock,
    log,
    metrics,
  });
  return combine('aggregator', [database, registration, retention, watermarks, rollupCheck, consumer]);
}

/** The operator's `rebuild-rollups`: proves that the rollups are what the kept events add up to, or makes them so. */
export async function runRebuildRollups(
  workerUrl: string,
  { log, write }: { log: Logger; write: boolean },
): Promise<RebuildResult> {
  const database = createDatabase({
    url: workerUrl,
    name: 'rebuild-rollups',
    maxConnections: 1,
    statementTimeoutMs: rebuildTimeoutMs,
    log,
  });
  try {
    return await rebuildRollups({ database, write });
  } finally {
    await database.stop();
  }
}
