import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '../logging/create-logger.ts';
import type { EventLog } from './event-log.ts';
import { createKafkaAppender } from './kafka/append.ts';
import { createKafkaClient, type KafkaConnection } from './kafka/connection.ts';
import { createRenewable } from './kafka/renewable.ts';
import { subscribeToKafka } from './kafka/subscribe.ts';
import { countPartitions, refuseUnfitTopic, type TopicNeeds } from './kafka/topics.ts';

export interface KafkaEventLogOptions {
  readonly connection: KafkaConnection;
  /** What the topics must be like; the start refuses others and says how to mend them. */
  readonly topics: Readonly<Record<string, TopicNeeds>>;
  /** How long an append may take. */
  readonly appendDeadlineMs: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The consumer's outlast a minute's outage; everyone else fails at once and has its own. */
const consumerRetry = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 120 };
const quickRetry = { initialRetryTime: 100, maxRetryTime: 500, retries: 3 };
const requestTimeoutMs = 3_000;

/**
 * The event log on Kafka, for as many gateways and aggregators as you like. What kafkajs 2.2.4 does under failure is
 * measured, not assumed, and each defence says against what: append-lane.ts, group-member.ts, subscribe.ts, topics.ts.
 */
export function createKafkaEventLog(options: KafkaEventLogOptions): EventLog {
  const { connection, topics, appendDeadlineMs, clock, log } = options;
  const kafka = createKafkaClient({ connection, log, retry: quickRetry, requestTimeoutMs });
  const consumerKafka = createKafkaClient({ connection, log, retry: consumerRetry, requestTimeoutMs });
  const admin = createRenewable(() => kafka.admin());
  const appender = createKafkaAppender({ kafka, partitionsOf, deadlineMs: appendDeadlineMs, log });

  async function partitionsOf(topic: string): Promise<number> {
    const partitions = await countPartitions(await admin.get(), topic);
    if (partitions === undefined) throw new Error(`Kafka has no topic ${topic}. \`tollgate topics\` makes it.`);
    return partitions;
  }

  return {
    name: 'event-log',
    async start() {
      for (const [topic, needs] of Object.entries(topics)) await refuseUnfitTopic(await admin.get(), topic, needs);
    },
    async stop() {
      await appender.close();
      await admin.close();
    },
    append: appender.append,
    partitionsOf,
    subscribe: (subscribeOptions) => subscribeToKafka({ ...subscribeOptions, kafka: consumerKafka, admin, clock, log }),
  };
}
