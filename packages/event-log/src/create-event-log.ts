import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { createKafkaEventLog, type KafkaEventLog } from './kafka.ts';
import { kafkaConnectionOf, type KafkaSettings } from './kafka/kafka-connection.ts';
import { topicNeedsOf, type TopicSettings } from './kafka/topic-needs.ts';
import { createPostgresEventLog, type PostgresEventLog } from './postgres.ts';

export interface EventLogChoice extends KafkaSettings {
  readonly EVENT_LOG: 'postgres' | 'kafka';
  readonly DATABASE_WORKER_URL: string;
  readonly APPEND_DEADLINE_MS: number;
}

export interface EventLogNeeds extends TopicSettings {
  readonly clock: Clock;
  readonly log: Logger;
}

/** The event log that the settings of a process name. */
export function createEventLog(settings: EventLogChoice, needs: EventLogNeeds): PostgresEventLog | KafkaEventLog {
  const { EVENT_LOG: choice, DATABASE_WORKER_URL: url, APPEND_DEADLINE_MS: appendDeadlineMs } = settings;
  const { topics, clock, log } = needs;
  switch (choice) {
    case 'postgres':
      return createPostgresEventLog({ appendUrl: url, readUrl: url, topics, clock, log });
    case 'kafka':
      return createKafkaEventLog({
        connection: kafkaConnectionOf(settings),
        topics: topicNeedsOf(needs, settings.KAFKA_REPLICATION_FACTOR),
        cursorsUrl: url,
        appendDeadlineMs,
        clock,
        log,
      });
  }
}
