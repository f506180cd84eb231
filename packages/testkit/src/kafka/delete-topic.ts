import { Kafka, logLevel } from 'kafkajs';

export async function deleteTopic(address: string, topic: string): Promise<void> {
  const admin = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING, retry: { retries: 10 } }).admin();
  await admin.connect();
  try {
    await admin.deleteTopics({ topics: [topic] });
  } finally {
    await admin.disconnect();
  }
}
