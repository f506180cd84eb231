import type { Clock } from '@tollgate/kernel/clock';
import { combine } from '@tollgate/runtime/lifecycle/combine';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase } from '@tollgate/database/database';
import { createNotifications } from '@tollgate/database/notifications';
import type { EventLog, UncountedReading } from './event-log.ts';
import { createPostgresAppender } from './postgres/append.ts';
import { readUncounted } from './postgres/read-uncounted.ts';
import { subscribeToPostgres } from './postgres/subscribe.ts';
import { createTopics } from './postgres/topics.ts';

export interface PostgresEventLogOptions {
  /** Role that may append: `ingest_gateway_worker`. */
  readonly appendUrl: string;
  /** Role that may read: `aggregator_worker`. */
  readonly readUrl: string;
  /** Partition counts by topic; missing topics are made at start, a different count is refused. */
  readonly topics: Readonly<Record<string, number>>;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface PostgresEventLog extends EventLog {
  /** What the log holds beyond the aggregator's cursor, for whoever must know it without waiting for the count. */
  readUncounted(topic: string, reading: UncountedReading): Promise<void>;
}

/**
 * The event log in PostgreSQL: durable, one machine. See migrations/0004_event_log.sql for why its order can be trusted.
 * Readers are woken by NOTIFY and look by themselves twice a second, for a notification may be lost.
 */
export function createPostgresEventLog({
  appendUrl,
  readUrl,
  topics,
  clock,
  log,
}: PostgresEventLogOptions): PostgresEventLog {
  const appendDatabase = createDatabase({ url: appendUrl, name: 'event-log-append', maxConnections: 4, log });
  const readDatabase = createDatabase({ url: readUrl, name: 'event-log-read', maxConnections: 4, log });
  const notifications = createNotifications({ url: readUrl, log });
  const catalogue = createTopics(readDatabase, topics);
  const parts = combine('event-log', [appendDatabase, readDatabase, notifications]);
  const append = createPostgresAppender({ database: appendDatabase, partitionsOf: catalogue.partitionsOf, clock, log });

  return {
    ...parts,
    async start() {
      await parts.start();
      await catalogue.create();
    },
    append,
    partitionsOf: catalogue.partitionsOf,
    subscribe: (options) =>
      subscribeToPostgres({
        ...options,
        database: readDatabase,
        notifications,
        partitionsOf: catalogue.partitionsOf,
        url: readUrl,
        clock,
        log,
      }),
    readUncounted: (topic, reading) => readUncounted(appendDatabase, topic, reading),
  };
}
