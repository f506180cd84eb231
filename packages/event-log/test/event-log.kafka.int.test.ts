import { describeWithKafka } from '@tollgate/testkit/kafka';
import { startKafka } from '@tollgate/testkit/kafka/start-kafka';
import { eventLogContract, type EventLogHarness } from '@tollgate/testkit/contracts/event-log.contract';
import { kafkaLogAt, makeTopic } from './support/kafka-log.ts';

const topic = 'contract.v1';
const partitions = 4;

/** Has a broker of its own, since it kills it. */
async function openHarness(): Promise<EventLogHarness> {
  const kafka = await startKafka();
  await makeTopic(kafka.address, topic, { partitions });
  return {
    topic,
    partitions,
    async connect() {
      const eventLog = kafkaLogAt(kafka.address, { topics: { [topic]: { partitions, replicationFactor: 1 } } });
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
