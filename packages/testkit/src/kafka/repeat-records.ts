import { randomUUID } from 'node:crypto';
import { Kafka, logLevel, type KafkaMessage } from 'kafkajs';

/** Appends the latest `count` records of a partition again, as a producer does that got no answer. */
export async function repeatRecords(address: string, topic: string, { count }: { count: number }): Promise<void> {
  const kafka = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING });
  const records = await readLatest(kafka, topic, count);
  const producer = kafka.producer();
  await producer.connect();
  try {
    await producer.send({ topic, messages: records.map(({ key, value }) => ({ key, value })) });
  } finally {
    await producer.disconnect();
  }
}

async function readLatest(kafka: Kafka, topic: string, count: number): Promise<KafkaMessage[]> {
  const admin = kafka.admin();
  await admin.connect();
  const [end] = (await admin.fetchTopicOffsets(topic)).toSorted((a, b) => Number(b.high) - Number(a.high));
  await admin.disconnect();
  if (end === undefined || Number(end.high) === Number(end.low)) return [];
  const { partition } = end;
  const first = Math.max(Number(end.low), Number(end.high) - count);
  const consumer = kafka.consumer({ groupId: randomUUID() });
  await consumer.connect();
  await consumer.subscribe({ topics: [topic] });
  const read = Promise.withResolvers<KafkaMessage[]>();
  await consumer.run({
    eachBatch: async ({ batch }) => {
      const messages = batch.messages.filter(({ offset }) => Number(offset) >= first);
      if (batch.partition === partition && messages.length > 0) read.resolve(messages);
    },
  });
  consumer.seek({ topic, partition, offset: String(first) });
  try {
    return await read.promise;
  } finally {
    await consumer.disconnect();
  }
}
