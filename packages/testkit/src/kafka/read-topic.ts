import { randomUUID } from 'node:crypto';
import { Kafka, logLevel } from 'kafkajs';
import { eventually } from '../eventually.ts';

/** The values of every record that the topic has, as often as they are there: by a reader that shares nothing with ours. */
export async function readTopic(address: string, topic: string): Promise<string[]> {
  const kafka = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(topic);
  await admin.disconnect();
  const missing = new Map(ends.filter(({ low, high }) => low !== high).map(({ partition, high }) => [partition, high]));
  const values: string[] = [];
  const consumer = kafka.consumer({ groupId: randomUUID(), readUncommitted: true, maxWaitTimeInMs: 100 });
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await consumer.run({
    eachBatch: async ({ batch }) => {
      const { partition, messages } = batch;
      values.push(...messages.map(({ value }) => value?.toString('utf8') ?? ''));
      if (BigInt(batch.lastOffset()) + 1n >= BigInt(missing.get(partition) ?? 0)) missing.delete(partition);
    },
  });
  try {
    await eventually(() => missing.size === 0, { withinMs: 20_000 });
  } finally {
    await consumer.disconnect();
  }
  return values;
}
