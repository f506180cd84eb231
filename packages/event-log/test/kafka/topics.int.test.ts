import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { describeWithKafka, testKafka } from '@tollgate/testkit/kafka';
import kafkajs, { Kafka, logLevel, type Admin } from 'kafkajs';
import type { TopicNeeds } from '../../src/kafka/topics.ts';
import { kafkaLogAt, mendTopic } from '../support/kafka-log.ts';

const needs: TopicNeeds = { partitions: 3, replicationFactor: 1, retentionMs: 604_800_000 };

const describeKafka = await describeWithKafka();

describeKafka('topics of Kafka', () => {
  let address: string;
  let admin: Admin;
  let topic: string;

  beforeAll(async () => {
    ({ address } = await testKafka());
    admin = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
  }, 90_000);
  afterAll(() => admin?.disconnect());
  beforeEach(() => {
    topic = `topics.${randomUUID()}`;
  });

  const start = async (wanted: TopicNeeds = needs): Promise<void> => {
    const eventLog = kafkaLogAt(address, { topics: { [topic]: wanted } });
    try {
      await eventLog.start();
    } finally {
      await eventLog.stop();
    }
  };
  /** The broker learns of a change within a moment. */
  const untilRefused = () => eventually(() => start().then(() => '', String), { withinMs: 5_000 });
  const mend = (wanted: TopicNeeds = needs) => mendTopic(address, topic, wanted);
  const alter = (name: string, value: string) =>
    admin.alterConfigs({
      validateOnly: false,
      resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic, configEntries: [{ name, value }] }],
    });

  it('F21 refuses to start without the topic, names the command that makes it, and starts when that was run', async () => {
    await expect(start()).rejects.toThrow(
      `${topic}: it is not there. \`tollgate operator topics\` makes and mends topics.`,
    );
    expect(await mend()).toEqual([`Made ${topic} with 3 partitions.`]);
    await start();
    expect(await mend()).toEqual([`${topic} is as it should be.`]);
  });

  it('F21 refuses fewer partitions than configured, and takes more', async () => {
    await mend();
    await expect(start({ ...needs, partitions: 5 })).rejects.toThrow('it has 3 partitions, not 5');
    await mend({ ...needs, partitions: 5 });
    await start({ ...needs, partitions: 5 });
    await start();
  });

  it.each([
    ['compression.type', 'producer', 'compression.type is producer, not uncompressed'],
    ['cleanup.policy', 'compact', 'cleanup.policy is compact, not delete'],
    ['message.timestamp.type', 'CreateTime', 'message.timestamp.type is CreateTime, not LogAppendTime'],
    ['retention.bytes', '1000000', 'retention.bytes is 1000000, not -1'],
    ['unclean.leader.election.enable', 'true', 'unclean.leader.election.enable is true, not false'],
    ['max.message.bytes', '100000', 'max.message.bytes is 100000, less than 8388608'],
    ['retention.ms', '-1', 'retention.ms is -1, not at most 604800000'],
  ])('F26 refuses a topic whose %s is %s, mends it', async (name, value, said) => {
    await mend();
    await alter(name, value);
    expect(await untilRefused()).toContain(said);
    await mend();
    await start();
  });

  it('keeps settings of the topic that it does not know', async () => {
    await mend();
    await alter('segment.ms', '3600000'); // which resets all that we had set to the broker's defaults
    await untilRefused();
    await mend();
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic, configNames: ['segment.ms'] }],
    });
    expect(resources[0]?.configEntries[0]?.configValue).toBe('3600000');
  });

  it('F19 refuses fewer replicas than configured: a 201 would rest on one disk', async () => {
    await mend();
    const many = { ...needs, replicationFactor: 3 };
    await expect(start(many)).rejects.toThrow(
      'it has 1 replicas of a partition, not 3; min.insync.replicas is 1, less than 2',
    );
    await expect(mend(many)).rejects.toThrow('kafka-reassign-partitions.sh');
  });
});
