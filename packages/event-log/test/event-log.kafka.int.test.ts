import { systemClock } from '@tollgate/kernel/clock';
import type { EventLog } from '../src/event-log.ts';
import { createKafkaEventLog } from '../src/kafka.ts';
import { mendTopics } from '../src/kafka/mend-topics.ts';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import { startKafka } from '@tollgate/testkit/kafka/start-kafka';
import { eventLogContract, type EventLogHarness } from '@tollgate/testkit/contracts/event-log.contract';

const log = createLogger({ name: 'test', level: 'silent' });
const topic = 'contract.v1';
const topics = { [topic]: { partitions: 4, replicationFactor: 1 } };

/** A broker of its own, since it is killed. */
async function openHarness(): Promise<EventLogHarness> {
  const kafka = await startKafka();
  const connection = { brokers: [kafka.address] };
  await mendTopics({ connection, topics, log });
  return {
    topic,
    partitions: topics[topic]?.partitions ?? 0,
    async connect(): Promise<EventLog> {
      const eventLog = createKafkaEventLog({
        connection,
        topics,
        appendDeadlineMs: 5_000,
        cursorsUrl: 'postgresql:///',
        clock: systemClock,
        log,
      });
      await eventLog.start();
      return eventLog;
    },
    async crash() {
      await kafka.kill();
      await kafka.start();
    },
    close: kafka.destroy,
  };
}

const describeKafka = await describeWithKafka();
describeKafka('on Kafka', () => eventLogContract('kafka', openHarness));
