import { Kafka, logLevel } from 'kafkajs';
import type pg from 'pg';
import { eventually } from '../eventually.ts';
import { readTopic } from '../kafka/read-topic.ts';

/** The log where it is Kafka, seen by a client that shares nothing with ours. */
export interface KafkaLog {
  /** The ids of every record, as often as they are there. */
  readIds(): Promise<string[]>;
  /** How many records it has got, over all partitions. */
  length(): Promise<number>;
  /** How many of them are not counted yet. */
  lag(client: pg.Client): Promise<number>;
  waitUntilDrained(client: pg.Client, options: { withinMs: number }): Promise<void>;
  /** The group's members, by the ids that it gave them: one that was thrown out comes back under another. */
  membersOf(group: string): Promise<string[]>;
  close(): Promise<void>;
}

const cursors = 'select coalesce(sum(next_offset), 0)::text as sum from usage.cursor where topic = $1';

/** `address`: `host:port` of a broker; the topic's records lie from offset 0 on, with no gap. */
export async function openKafkaLog(address: string, topic: string): Promise<KafkaLog> {
  const admin = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();

  async function length(): Promise<number> {
    const ends = await admin.fetchTopicOffsets(topic);
    return ends.reduce((sum, { high }) => sum + Number(high), 0);
  }

  async function lag(client: pg.Client): Promise<number> {
    const { rows } = await client.query<{ sum: string }>(cursors, [topic]);
    return (await length()) - Number(rows[0]?.sum); // in this order, or it could be below zero
  }

  return {
    async readIds() {
      return (await readTopic(address, topic)).map((value) => (JSON.parse(value) as { event_id: string }).event_id);
    },
    length,
    lag,
    waitUntilDrained: async (client, { withinMs }) =>
      void (await eventually(async () => (await lag(client)) === 0, { withinMs, everyMs: 100 })),
    async membersOf(group) {
      const { groups } = await admin.describeGroups([group]);
      return (groups[0]?.members ?? []).map(({ memberId }) => memberId).toSorted();
    },
    close: () => admin.disconnect(),
  };
}
