import { usageEventsTopic } from '@tollgate/contracts/events/event-record';
import { notificationsTopic } from '@tollgate/contracts/webhooks/notification-record';
import { loadConfig, type Environment } from '@tollgate/runtime/config/load-config';
import { kafkaConnectionOf } from '@tollgate/event-log/kafka/kafka-connection';
import { mendTopics } from '@tollgate/event-log/kafka/mend-topics';
import { topicNeedsOf } from '@tollgate/event-log/kafka/topic-needs';
import type { Logger } from '@tollgate/runtime/logging/create-logger';

import { topicsConfigSchema } from '../config.ts';
import { CommandError } from './command-error.ts';

/** `tollgate operator topics`: creates the topics that the services need, or corrects their settings. */
export async function makeTopics({ environment, log }: { environment: Environment; log: Logger }): Promise<string> {
  const config = loadConfig(topicsConfigSchema, environment);
  const wanted = {
    topics: {
      [usageEventsTopic]: config.USAGE_EVENT_PARTITIONS,
      ...(config.RELAY_TO === 'kafka' && { [notificationsTopic]: undefined }),
    },
    retentionDays: { [usageEventsTopic]: config.LOG_RETENTION_DAYS },
  };
  const topics = topicNeedsOf(wanted, config.KAFKA_REPLICATION_FACTOR);
  const connection = kafkaConnectionOf(config);
  try {
    return (await mendTopics({ connection, topics, log })).join('\n');
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}
