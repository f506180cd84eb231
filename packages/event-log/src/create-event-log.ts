import { dayMs } from '@tollgate/kernel/durations';
import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { createKafkaEventLog, type KafkaEventLog } from './kafka.ts';
import { kafkaConnectionOf, type KafkaSettings } from './kafka/kafka-connection.ts';
import type { TopicNeeds } from './kafka/topics.ts';
import { partitionsByDefault } from './partitions-by-default.ts';
import { createPostgresEventLog, type PostgresEventLog } from './postgres.ts';
import type { WantedTopics } from './postgres/topics.ts';

export interface EventLogChoice extends KafkaSettings {
  readonly EVENT_LOG: 'postgres' | 'kafka';
  readonly DATABASE_WORKER_URL: string;
  readonly APPEND_DEADLINE_MS: number;
}

export interface EventLogNeeds {
  /** For a process that appends. */
  readonly topics: WantedTopics;
  /** For a process that reads: how long Kafka may keep records at most, by topic. The log in PostgreSQL has its own job. */
  readonly retentionDays?: Readonly<Record<string, number>>;
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
        topics: kafkaNeeds(needs, settings.KAFKA_REPLICATION_FACTOR),
        cursorsUrl: url,
        appendDeadlineMs,
        clock,
        log,
      });
  }
}

function kafkaNeeds({ topics, retentionDays = {} }: EventLogNeeds, replicationFactor: number) {
  const needs: Record<string, TopicNeeds> = {};
  for (const [topic, partitions = partitionsByDefault.kafka] of Object.entries(topics))
    needs[topic] = { partitions, replicationFactor };
  for (const [topic, days] of Object.entries(retentionDays)) {
    needs[topic] = { partitions: 1, replicationFactor, ...needs[topic], retentionMs: days * dayMs };
  }
  return needs;
}
