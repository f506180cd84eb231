import { createDatabase } from '@tollgate/database/database';
import type { EventLogReader } from '@tollgate/event-log/event-log';
import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import { createKeyArchives } from '@tollgate/key-archive/key-archives';
import { combine } from '@tollgate/runtime/lifecycle/combine';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { createClockCheck } from '@tollgate/runtime/timing/clock-check';
import type { Config } from './config.ts';
import { wireCounting } from './counting/wire.ts';
import { createDayTables } from './retention/day-tables.ts';
import { createObserveDeadLetters } from './retention/observe-dead-letters.ts';
import { createRetention } from './retention/retention.ts';
import { countDeadLetters } from './retention/sql-dead-letters.ts';
import { createNightlyRollupCheck } from './rollups/check-rollups-nightly.ts';
import { rebuildRollups, type RebuildResult } from './rollups/rebuild-rollups.ts';
import { readLastRollupCheck } from './rollups/sql-last-rollup-check.ts';

export interface AggregatorDeps {
  readonly eventLog: EventLogReader;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Called when counting cannot go on without losing records. The process should say so and end. */
  readonly onFailed: (error: unknown) => void;
}

/** A connection for each concurrent flush, one for the watermarks, and one for reading a cursor. */
const connectionsHeld = 6;
const rebuildTimeoutMs = 3_600_000;

/** Counts the log: events, keys, rollups, dead letters, cursor and watermark, one transaction per batch. */
export function createAggregator(config: Config, deps: AggregatorDeps): Service {
  const { clock, log, metrics } = deps;
  const url = config.DATABASE_WORKER_URL;
  const pool = { maxConnections: connectionsHeld, holdsConnections: true };
  const database = createDatabase({ url, name: 'aggregator', ...pool, log });
  const dayTables = createDayTables(database);
  const rules = { appendDeadlineMs: config.APPEND_DEADLINE_MS, clockSkewMaxMs: config.CLOCK_SKEW_MAX_MS };
  const clockCheck = createClockCheck({ database, skewMaxMs: config.CLOCK_SKEW_MAX_MS, log });
  const archives = createKeyArchives({ database, folder: config.KEY_ARCHIVE_DIR, log });
  const counting = wireCounting({ ...deps, database, archives, clockCheck, ensureDays: dayTables.ensure, rules });
  const retention = createRetention({
    database,
    dayTables,
    eventRetentionDays: config.EVENT_RETENTION_DAYS,
    logRetentionDays: config.LOG_RETENTION_DAYS,
    clock,
    clockCheck,
    log,
  });
  const rollupCheck = createNightlyRollupCheck({
    database: createDatabase({ ...rebuildPool(url, log), name: 'nightly-rollup-check', whenStopped: 'cancel' }),
    clock,
    log,
    metrics,
  });
  const deadLetters = createObserveDeadLetters({ database, metrics, log });
  const { registration, watermarks, logChecks, consumer } = counting;
  const checks = [rollupCheck, deadLetters, ...logChecks];
  return combine('aggregator', [
    database,
    archives,
    clockCheck,
    registration,
    retention,
    watermarks,
    ...checks,
    consumer,
  ]);
}

/** The operator's `rebuild-rollups`: proves that the rollups are the sums of the kept events, or repairs them. */
export async function runRebuildRollups(
  workerUrl: string,
  { log, write }: { log: Logger; write: boolean },
): Promise<RebuildResult> {
  const database = createDatabase({ ...rebuildPool(workerUrl, log), name: 'rebuild-rollups' });
  try {
    return await rebuildRollups({ database, write });
  } finally {
    await database.stop();
  }
}

export interface CountingStatus {
  /** Records that nobody could read or count, and that were not replayed. Refused repeats of a key are not among them. */
  readonly deadLetters: number;
  /** Rows that differed in the last nightly check of the rollups; null before the first one. */
  readonly rollupDifferences: number | null;
}

/** The part of `tollgate operator status` that is about counting. It only reads. */
export async function runReadCountingStatus(workerUrl: string, log: Logger): Promise<CountingStatus> {
  const database = createDatabase({ url: workerUrl, name: 'status', maxConnections: 1, log });
  try {
    const waiting = (await countDeadLetters(database)).filter(({ code }) => code !== 'idempotency_conflict');
    return {
      deadLetters: waiting.reduce((sum, letters) => sum + letters.waiting, 0),
      rollupDifferences: await readLastRollupCheck(database),
    };
  } finally {
    await database.stop();
  }
}

function rebuildPool(url: string, log: Logger) {
  return { url, maxConnections: 1, statementTimeoutMs: rebuildTimeoutMs, log };
}
