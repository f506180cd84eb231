import { randomUUID } from 'node:crypto';
import { bodyHashOf, partitionKeyOf, usageEventsTopic, type UsageEventRecord } from '@tollgate/contracts/event-record';
import { createMovableClock, toIso, type MovableClock } from '@tollgate/kernel/clock';
import { createEventId, keyedEventId } from '@tollgate/kernel/event-id';
import type { LogBatch } from '@tollgate/event-log/event-log';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase, type Database } from '@tollgate/database/database';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import pg from 'pg';
import { createPgRetentionStore } from '../../src/retention/pg-retention-store.ts';
import { createPgUsageStore } from '../../src/counting/pg-usage-store.ts';
import { createCursors } from '../../src/counting/cursors.ts';
import type { RetentionStore, UsageStore } from '../../src/counting/ports.ts';
import { createProcessBatch } from '../../src/counting/process-batch.ts';

export const topic = usageEventsTopic;
export const log = createLogger({ name: 'test', level: 'silent' });
export const startMs = Date.UTC(2026, 10, 21, 12, 30);
export const rules = { appendDeadlineMs: 5_000, clockSkewMaxMs: 2_000 };
export const partitions = 2;

/** A store on a database of its own, with what its tests ask of it. */
export interface CountingFixture {
  readonly database: Database;
  readonly owner: pg.Client;
  readonly test: TestDatabase;
  readonly store: UsageStore;
  readonly retention: RetentionStore;
  readonly clock: MovableClock;
  /** A reader that has just started: it knows no cursor. */
  newReader(store?: UsageStore): (batch: LogBatch) => Promise<void>;
  /** Every rollup and measure as text, in order. */
  rollups(): Promise<string[]>;
  count(table: string): Promise<number>;
  /** Empties what was counted and sets the cursors to 0. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function openCountingFixture(): Promise<CountingFixture> {
  const test = await testDatabase();
  const owner = new pg.Client({ connectionString: test.ownerUrl });
  await owner.connect();
  const database = createDatabase({
    url: test.urlFor('aggregator_worker'),
    name: 'aggregator-test',
    maxConnections: 6,
    log,
  });
  const clock = createMovableClock(startMs);
  const retention = createPgRetentionStore(database);
  const store = createPgUsageStore({ database, ensureDays: retention.ensureDays, clock });
  await store.registerPartitions(topic, partitions);
  return {
    test,
    owner,
    database,
    store,
    retention,
    clock,
    newReader: (readerStore = store) =>
      createProcessBatch({ store: readerStore, cursors: createCursors(readerStore, topic), rules, clock }),
    async rollups() {
      const { rows } = await owner.query<{ line: string }>(
        `select concat_ws(' ', consumer_id, tool_id, hour at time zone 'UTC', success, calls, duration_ms) as line from usage.rollup
         union all
         select concat_ws(' ', consumer_id, tool_id, hour at time zone 'UTC', success, key, total) from usage.rollup_measure order by 1`,
      );
      return rows.map(({ line }) => line);
    },
    async count(table) {
      const { rows } = await owner.query<{ count: string }>(`select count(*) from ${table}`);
      return Number(rows[0]?.count);
    },
    async reset() {
      await owner.query('truncate usage.event, usage.event_key, usage.rollup, usage.rollup_measure, usage.dead_letter');
      await owner.query("update usage.cursor set next_offset = 0, counted_through = '-infinity'");
    },
    async close() {
      await database.stop();
      await owner.end();
      await test.drop();
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
    event_id: key === undefined ? createEventId(startMs) : keyedEventId(consumer, key),
    consumer_id: consumer,
    tool_id: 'weather',
    occurred_at: toIso(startMs),
    received_at: toIso(startMs),
    success: true,
    ...wish,
  };
  return key === undefined ? event : { ...event, idempotency_key: key, body_hash: bodyHashOf(event) };
}

/** One batch whose offsets begin at `firstOffset`. */
export function batchOf(values: readonly (UsageEventRecord | Uint8Array)[], firstOffset = 0n, partition = 0): LogBatch {
  const records = values.map((value, index) => ({
    offset: firstOffset + BigInt(index),
    key: value instanceof Uint8Array ? 'k' : partitionKeyOf(value),
    value: value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value)),
  }));
  return { topic, partition, firstOffset, nextOffset: firstOffset + BigInt(values.length), records };
}
