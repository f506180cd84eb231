import { Kafka, logLevel } from 'kafkajs';
import type pg from 'pg';
import { eventually } from '../eventually.ts';
import { eachOfTopic } from '../kafka/read-topic.ts';
import { eventIdOf } from './event-id-of.ts';
import type { JudgedLog } from './judged-log.ts';

/** The log where it is Kafka, seen by a client that shares nothing with ours. */
export interface KafkaLog extends JudgedLog {
  /** How many records it has got, over all partitions. */
  length(): Promise<number>;
  /** How many of them are not counted yet. */
  lag(client: pg.Client): Promise<number>;
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
    eachIds: (_client, onIds) => eachOfTopic(address, topic, (records) => onIds(records.map(eventIdOf))),
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
