import { systemClock } from '@tollgate/kernel/clock';
import type { EventLog } from '@tollgate/runtime/event-log/event-log';
import { createKafkaEventLog } from '@tollgate/runtime/event-log/kafka';
import { mendTopics } from '@tollgate/runtime/event-log/kafka/mend-topics';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { describeWithKafka } from '../kafka.ts';
import { startKafka } from '../kafka/start-kafka.ts';
import { eventLogContract, type EventLogHarness } from './event-log.contract.ts';

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
