import { Kafka, logLevel } from 'kafkajs';

import { eventually } from '../eventually.ts';
import type { OracleDatabase } from './oracle-database.ts';

const cursors = `select partition, next_offset from usage.cursor where topic = $1`;

/** Waits until every record that the topic has is counted. Only after that can sums be compared. */
export async function untilTopicIsCounted(
  client: OracleDatabase,
  { address, topic, withinMs }: { address: string; topic: string; withinMs: number },
): Promise<void> {
  const admin = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(topic);
  await admin.disconnect();
  await eventually(
    async () => {
      const { rows } = await client.query<{ partition: number; next_offset: string }>(cursors, [topic]);
      const counted = new Map(rows.map(({ partition, next_offset }) => [partition, BigInt(next_offset)]));
      return ends.every(({ partition, high }) => (counted.get(partition) ?? 0n) >= BigInt(high));
    },
    { withinMs, everyMs: 100 },
  );
}
