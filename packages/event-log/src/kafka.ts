import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase } from '@tollgate/database/database';
import type { EventLog, EventLogReader, UncountedReading } from './event-log.ts';
import { createKafkaAppender } from './kafka/append.ts';
import { createKafkaClient, type KafkaConnection } from './kafka/connection.ts';
import { readerIdOf } from './kafka/leave-for-dead.ts';
import { readLogEnds } from './kafka/log-ends.ts';
import { readUncounted } from './kafka/read-uncounted.ts';
import { createRenewable } from './kafka/renewable.ts';
import { subscribeToKafka } from './kafka/subscribe.ts';
import { countPartitions, refuseUnfitTopic, type TopicNeeds } from './kafka/topics.ts';
import { untilKafkaAnswers } from './kafka/until-kafka-answers.ts';

export interface KafkaEventLogOptions {
  readonly connection: KafkaConnection;
  /**
   * The requirements of each topic, by name. The start refuses a topic that lacks them, and names the command that
   * repairs it.
   */
  readonly topics: Readonly<Record<string, TopicNeeds>>;
  /** How long an append may take. */
  readonly appendDeadlineMs: number;
  /** The name by which a group knows the readers of this log. Default: they are named after this process. */
  readonly readerId?: string;
  /** The database with the aggregator's cursors, as role `ingest_gateway_worker` or `aggregator_worker`. */
  readonly cursorsUrl: string;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface KafkaEventLog extends EventLog {
  /** Hands out the records beyond the aggregator's cursors, for a caller that cannot wait until they are counted. */
  readUncounted(topic: string, reading: UncountedReading): Promise<void>;
}

/** The consumer's retries outlast an outage of a minute. All others fail soon: their callers have retries of their own. */
const consumerRetry = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 120 };
const quickRetry = { initialRetryTime: 100, maxRetryTime: 500, retries: 3 };
const requestTimeoutMs = 3_000;

/**
 * The event log on Kafka, for any number of gateways and aggregators. We measured what kafkajs 2.2.4 does under failure;
 * each defence says what it is against: append-lane.ts, group-member.ts, subscribe.ts, topics.ts, mend-kafkajs.ts.
 */
export function createKafkaEventLog(options: KafkaEventLogOptions): KafkaEventLog {
  const { connection, topics, appendDeadlineMs, cursorsUrl, clock, log } = options;
  const kafka = createKafkaClient({ connection, log, retry: quickRetry, requestTimeoutMs });
  const clientId = options.readerId ?? readerIdOf(process.pid);
  const consumerKafka = createKafkaClient({ connection, log, retry: consumerRetry, requestTimeoutMs, clientId });
  const admin = createRenewable(() => kafka.admin());
  const appender = createKafkaAppender({ kafka, partitionsOf, deadlineMs: appendDeadlineMs, log });
  const reader: EventLogReader = {
    partitionsOf,
    subscribe: (given) => subscribeToKafka({ ...given, kafka: consumerKafka, admin, clock, log }),
  };

  async function partitionsOf(topic: string): Promise<number> {
    const partitions = await countPartitions(await admin.get(), topic);
    if (partitions === undefined)
      throw new Error(`Kafka has no topic ${topic}. \`tollgate operator topics\` makes it.`);
    return partitions;
  }

  async function refuseUnfitTopics(): Promise<void> {
    for (const [topic, needs] of Object.entries(topics)) {
      await refuseUnfitTopic(await admin.get(), topic, needs).catch((error: unknown) => {
        admin.drop();
        throw error;
      });
    }
  }

  async function forgetGroup(group: string): Promise<void> {
    await (await admin.get()).deleteGroups([group]);
  }

  return {
    ...reader,
    name: 'event-log',
    start: (stopping) => untilKafkaAnswers(refuseUnfitTopics, { log, stopping }),
    async stop() {
      await appender.close();
      await admin.close();
    },
    append: appender.append,
    probe: async (topic) => void (await readLogEnds(admin, topic, clock)),
    async readUncounted(topic, reading) {
      const database = createDatabase({ url: cursorsUrl, name: 'event-log-cursors', maxConnections: 1, log });
      try {
        await readUncounted({ database, reader, forgetGroup }, topic, reading);
      } finally {
        await database.stop();
      }
    },
  };
}
