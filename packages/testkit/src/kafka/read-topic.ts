import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '@tollgate/kernel/clock';
import { Kafka, logLevel } from 'kafkajs';

const silenceMaxMs = 20_000;

/** Returns the value of every record of a topic, repeats included. The reader shares no code with the product's. */
export async function readTopic(address: string, topic: string): Promise<string[]> {
  const values: string[] = [];
  await eachOfTopic(address, topic, async (batch) => void values.push(...batch));
  return values;
}

/** The same for a topic larger than memory: batch after batch, each when `onValues` has resolved for the one before. */
export async function eachOfTopic(
  address: string,
  topic: string,
  onValues: (values: readonly string[]) => Promise<void>,
): Promise<void> {
  const kafka = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(topic);
  await admin.disconnect();
  const missing = new Map(ends.filter(({ low, high }) => low !== high).map(({ partition, high }) => [partition, high]));
  const consumer = kafka.consumer({ groupId: randomUUID(), readUncommitted: true, maxWaitTimeInMs: 100 });
  let lastMs = systemClock.monotonicMs();
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await consumer.run({
    eachBatch: async ({ batch }) => {
      const { partition, messages } = batch;
      lastMs = systemClock.monotonicMs();
      await onValues(messages.map(({ value }) => value?.toString('utf8') ?? ''));
      if (BigInt(batch.lastOffset()) + 1n >= BigInt(missing.get(partition) ?? 0)) missing.delete(partition);
    },
  });
  try {
    while (missing.size > 0) {
      if (systemClock.monotonicMs() - lastMs > silenceMaxMs)
        throw new Error(`${topic}: no record for ${silenceMaxMs} ms`);
      await wait(10);
    }
  } finally {
    await consumer.disconnect();
  }
}
