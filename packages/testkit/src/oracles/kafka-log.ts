import { Kafka, logLevel } from 'kafkajs';
import type pg from 'pg';
import { eventually } from '../eventually.ts';
import { eachOfTopic } from '../kafka/read-topic.ts';
import { eventIdOf, type JudgedLog } from './judged-log.ts';

/** A log in Kafka, read by a client that shares no code with the product's. */
export interface KafkaLog extends JudgedLog {
  /** How many records it has, over all partitions. */
  length(): Promise<number>;
  /** How many records are not yet counted. */
  lag(client: pg.Client): Promise<number>;
  /** The ids of the group's members. An expelled member returns under a new id. */
  membersOf(group: string): Promise<string[]>;
  close(): Promise<void>;
}

const cursors = 'select coalesce(sum(next_offset), 0)::text as sum from usage.cursor where topic = $1';

/** `address` is `host:port` of a broker. The topic's records start at offset 0, without gaps. */
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
