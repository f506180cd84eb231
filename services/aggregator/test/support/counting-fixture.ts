import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import {
  bodyHashOf,
  partitionKeyOf,
  usageEventsTopic,
  type UsageEventRecord,
} from '@tollgate/contracts/events/event-record';
import { createMovableClock, toIso, type MovableClock } from '@tollgate/kernel/clock';
import { createEventId, keyedEventId } from '@tollgate/kernel/event-id';
import type { EventLogReader, LogBatch, LogRecord } from '@tollgate/event-log/event-log';
import type { Service } from '@tollgate/kernel/service';
import { createKeyArchives, type KeyArchives } from '@tollgate/key-archive/key-archives';
import { loadConfig } from '@tollgate/runtime/config/load-config';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createMetrics, type Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { createDatabase, type Database } from '@tollgate/database/database';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import pg from 'pg';
import { configSchema } from '../../src/config.ts';
import { createCursors } from '../../src/counting/cursors.ts';
import { createPgUsageStore } from '../../src/counting/pg-usage-store.ts';
import type { UsageStore } from '../../src/counting/ports.ts';
import { createProcessBatch } from '../../src/counting/process-batch.ts';
import { createDayTables, type DayTables } from '../../src/retention/day-tables.ts';
import { createAggregator } from '../../src/service.ts';

export const topic = usageEventsTopic;
export const log = createLogger({ name: 'test', level: 'silent' });
export const startMs = Date.UTC(2026, 10, 21, 12, 30);
/** The hour of `startMs`, as `rollups()` shows it. */
export const hour = '2026-11-21 12:00:00';
export const rules = { appendDeadlineMs: 5_000, clockSkewMaxMs: 2_000 };
/** How far the watermark trails what was seen. */
export const trailMs = rules.appendDeadlineMs + rules.clockSkewMaxMs;
export const partitions = 2;

/** A database of its own, what counts on it, and what tests ask of it. */
export interface CountingFixture {
  readonly database: Database;
  readonly owner: pg.Client;
  readonly test: TestDatabase;
  readonly store: UsageStore;
  /** The store's. */
  readonly dayTables: DayTables;
  readonly clock: MovableClock;
  /** A store on another database object, such as one that fails, or with a folder of archived keys. */
  storeOver(database: Database, archives?: KeyArchives): UsageStore;
  /** A reader that has just started: it knows no cursor. */
  newReader(store?: UsageStore): (batch: LogBatch) => Promise<void>;
  /** The whole service, not started. */
  newAggregator(eventLog: EventLogReader, onFailed?: (error: unknown) => void, metrics?: Metrics): Service;
  /** Every rollup and measure as text, in order. At the end of a line is the pass, if there is one. */
  rollups(): Promise<string[]>;
  count(table: string): Promise<number>;
  /** The one value of a query as the owner. */
  valueOf<T>(query: string, values?: unknown[]): Promise<T>;
  /** Epoch ms. */
  watermark(): Promise<number>;
  /** Empties what was counted and sets the cursors to 0. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** One for the suite: opened before its tests and closed after them. */
export function countingFixture(): CountingFixture {
  const fixture = {} as CountingFixture; // filled before any test runs
  beforeAll(async () => void Object.assign(fixture, await openCountingFixture()), 60_000);
  afterAll(() => fixture.close());
  return fixture;
}

async function openCountingFixture(): Promise<CountingFixture> {
  const test = await testDatabase();
  const owner = new pg.Client({ connectionString: test.ownerUrl });
  await owner.connect();
  const url = test.urlFor('aggregator_worker');
  const database = createDatabase({ url, name: 'aggregator-test', maxConnections: 6, log });
  const clock = createMovableClock(startMs);
  const noArchives = createKeyArchives({ database, folder: undefined, log });
  const storeWith = (over: Database, days: DayTables, archives = noArchives) =>
    createPgUsageStore({ database: over, ensureDays: days.ensure, archives, clock });
  const storeOver = (over: Database, archives?: KeyArchives) => storeWith(over, createDayTables(over), archives);
  const dayTables = createDayTables(database);
  const store = storeWith(database, dayTables);
  await store.registerPartitions(topic, partitions);
  return {
    test,
    owner,
    database,
    store,
    dayTables,
    clock,
    storeOver,
    newReader: (readerStore = store) =>
      createProcessBatch({ store: readerStore, cursors: createCursors(readerStore, topic), rules, clock }),
    newAggregator: (eventLog, onFailed = () => undefined, metrics = createMetrics({ service: 'aggregator' })) =>
      createAggregator(loadConfig(configSchema, { DATABASE_WORKER_URL: url }), {
        eventLog,
        clock,
        log,
        metrics,
        onFailed,
      }),
    ...questionsTo(owner),
    async reset() {
      await owner.query(
        `truncate usage.event, usage.event_key, usage.rollup, usage.rollup_measure, usage.pass_rollup, usage.pass_rollup_measure,
          usage.late_usage, usage.dead_letter`,
      );
      await owner.query("update usage.cursor set next_offset = 0, counted_through = '-infinity'");
    },
    async close() {
      await database.stop();
      await owner.end();
      await test.drop();
    },
  };
}

function questionsTo(owner: pg.Client): Pick<CountingFixture, 'rollups' | 'count' | 'valueOf' | 'watermark'> {
  async function valueOf<T>(query: string, values: unknown[] = []): Promise<T> {
    const { rows } = await owner.query<[T]>({ text: query, values, rowMode: 'array' });
    return rows[0]?.[0] as T; // the test names the type of what it asks for
  }

  return {
    valueOf,
    count: async (table) => Number(await valueOf<string>(`select count(*) from ${table}`)),
    watermark: async () => (await valueOf<Date>('select counted_through from usage.watermark_v1')).getTime(),
    async rollups() {
      const { rows } = await owner.query<{ line: string }>(
        `select concat_ws(' ', consumer_id, tool_id, hour at time zone 'UTC', success, calls, duration_ms, pass_id) as line from usage.rollup_v1
         union all
         select concat_ws(' ', consumer_id, tool_id, hour at time zone 'UTC', success, key, total, pass_id) from usage.rollup_measure_v1 order by 1`,
      );
      return rows.map(({ line }) => line);
    },
  };
}

export interface EventWish extends Partial<Omit<UsageEventRecord, 'v' | 'event_id' | 'body_hash'>> {
  readonly key?: string;
}

export const consumerId = randomUUID();

/** A record as the gateway writes it. */
export function usageEvent({ key, ...wish }: EventWish = {}): UsageEventRecord {
  const consumer = wish.consumer_id ?? consumerId;
  const event: UsageEventRecord = {
    v: 1,
    event_id: key === undefined ? createEventId(startMs) : keyedEventId('', { accountId: consumer, key }),
    consumer_id: consumer,
    tool_id: 'weather',
    occurred_at: toIso(startMs),
    received_at: toIso(startMs),
    success: true,
    ...wish,
  };
  return key === undefined ? event : { ...event, idempotency_key: key, body_hash: bodyHashOf(event) };
}

/** An event that happened and was received at one time. */
export function eventAt(ms: number): UsageEventRecord {
  return usageEvent({ occurred_at: toIso(ms), received_at: toIso(ms) });
}

export function toLogRecord(event: UsageEventRecord): LogRecord & { readonly value: Buffer } {
  return { key: partitionKeyOf(event), value: Buffer.from(JSON.stringify(event)) };
}

/** One batch whose offsets begin at `firstOffset`. */
export function batchOf(values: readonly (UsageEventRecord | Uint8Array)[], firstOffset = 0n, partition = 0): LogBatch {
  const records = values.map((value, index) => ({
    offset: firstOffset + BigInt(index),
    ...(value instanceof Uint8Array ? { key: 'k', value } : toLogRecord(value)),
  }));
  return { topic, partition, firstOffset, nextOffset: firstOffset + BigInt(values.length), records };
}
