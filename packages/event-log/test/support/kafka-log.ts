import { systemClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { eventually } from '@tollgate/testkit/eventually';
import { createKafkaEventLog, type KafkaEventLog, type KafkaEventLogOptions } from '../../src/kafka.ts';
import { mendTopics } from '../../src/kafka/mend-topics.ts';
import type { TopicNeeds } from '../../src/kafka/topics.ts';

const log = createLogger({ name: 'test', level: 'silent' });

/** The log of one broker; it checks no topics and reads no cursors unless asked. */
export function kafkaLogAt(address: string, options: Partial<KafkaEventLogOptions> = {}): KafkaEventLog {
  const connection = { brokers: [address] };
  const cursorsUrl = 'postgresql:///';
  return createKafkaEventLog({
    connection,
    topics: {},
    appendDeadlineMs: 5_000,
    cursorsUrl,
    clock: systemClock,
    log,
    ...options,
  });
}

export function mendTopic(address: string, topic: string, needs: Partial<TopicNeeds> = {}): Promise<string[]> {
  const topics = { [topic]: { partitions: 1, replicationFactor: 1, ...needs } };
  return mendTopics({ connection: { brokers: [address] }, topics, log });
}

/** Waits until the broker makes the topic. A broker that a busy machine kept from its controller is fenced for a while. */
export function makeTopic(address: string, topic: string, needs: Partial<TopicNeeds> = {}): Promise<string[]> {
  return eventually(() => mendTopic(address, topic, needs), { withinMs: 10_000 });
}
