import type { Clock } from '@tollgate/kernel/clock';
import { combine } from '@tollgate/runtime/lifecycle/combine';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase } from '@tollgate/database/database';
import { createNotifications, type Notifications } from '@tollgate/database/notifications';
import type { EventAppender, EventLog, UncountedReading } from './event-log.ts';
import { createAnnouncements } from './postgres/announcements.ts';
import { createPostgresAppender } from './postgres/append.ts';
import { readUncounted } from './postgres/read-uncounted.ts';
import { subscribeToPostgres } from './postgres/subscribe.ts';
import { createTopics } from './postgres/topics.ts';
import type { WantedTopics } from './wanted-topics.ts';

export interface PostgresEventLogOptions {
  /** Role that may append: `ingest_gateway_worker`. */
  readonly appendUrl: string;
  /** Role that may read: `aggregator_worker`. */
  readonly readUrl: string;
  /** The start makes missing topics and refuses a different count. */
  readonly topics: WantedTopics;
  readonly clock: Clock;
  readonly log: Logger;
  /** Default: a connection of the log's own. */
  readonly notifications?: Notifications | undefined;
}

export interface PostgresEventLog extends EventLog {
  readonly appendUnlessCounted: NonNullable<EventAppender['appendUnlessCounted']>;
  /** Hands out the records beyond the aggregator's cursors, for a caller that cannot wait until they are counted. */
  readUncounted(topic: string, reading: UncountedReading): Promise<void>;
}

/**
 * The event log in PostgreSQL: durable, on one machine. migrations/0005_event_log.sql says why its order can be trusted.
 * Appends wake readers, in other processes by NOTIFY. They also look twice per second, since a notification may be lost.
 */
export function createPostgresEventLog({
  appendUrl,
  readUrl,
  topics,
  clock,
  log,
  notifications = createNotifications({ url: readUrl, log }),
}: PostgresEventLogOptions): PostgresEventLog {
  const appendDatabase = createDatabase({ url: appendUrl, name: 'event-log-append', maxConnections: 4, log });
  const readDatabase = createDatabase({ url: readUrl, name: 'event-log-read', maxConnections: 4, log });
  const catalogue = createTopics(readDatabase, topics);
  const parts = combine('event-log', [appendDatabase, readDatabase, notifications]);
  const announcements = createAnnouncements(appendDatabase);
  const appender = createPostgresAppender({
    database: appendDatabase,
    partitionsOf: catalogue.partitionsOf,
    announce: announcements.announce,
    clock,
    log,
  });

  return {
    ...parts,
    async start() {
      await parts.start();
      await catalogue.create();
    },
    ...appender,
    partitionsOf: catalogue.partitionsOf,
    subscribe: (options) =>
      subscribeToPostgres({
        ...options,
        database: readDatabase,
        notifications,
        announcements,
        partitionsOf: catalogue.partitionsOf,
        url: readUrl,
        clock,
        log,
      }),
    readUncounted: (topic, reading) => readUncounted(appendDatabase, topic, reading),
  };
}
