import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { eventually } from '@tollgate/testkit/eventually';
import { describeWithKafka, testKafka } from '@tollgate/testkit/kafka';
import { beginTransaction } from '@tollgate/testkit/kafka/begin-transaction';
import { allowLz4 } from '@tollgate/testkit/kafka/lz4-codec';
import kafkajs, { Kafka, logLevel, type Admin, type Producer } from 'kafkajs';
import type { EventLog, SubscribeOptions, Subscription } from '../../src/event-log.ts';
import { kafkaLogAt, makeTopic } from '../support/kafka-log.ts';

const { CompressionTypes, PartitionAssigners, AssignerProtocol } = kafkajs;

const describeKafka = await describeWithKafka();

describeKafka('reading from Kafka', () => {
  let address: string;
  let client: Kafka;
  let admin: Admin;
  let producer: Producer;
  let eventLog: EventLog;
  let topic: string;
  let subscriptions: Subscription[];

  beforeAll(async () => {
    ({ address } = await testKafka());
    client = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING, retry: { retries: 10 } });
    admin = client.admin();
    await admin.connect();
    producer = client.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
    await producer.connect();
    allowLz4();
  }, 90_000);
  afterAll(async () => {
    await producer?.disconnect();
    await admin?.disconnect();
  });
  beforeEach(async () => {
    topic = `subscribe.${randomUUID()}`;
    subscriptions = [];
    await makeTopic(address, topic);
    eventLog = kafkaLogAt(address);
    await eventLog.start();
  });
  afterEach(async () => {
    for (const subscription of subscriptions) await subscription.stop();
    await eventLog.stop();
  });

  const append = (...ids: string[]) =>
    eventLog.append(
      topic,
      ids.map((id) => ({ key: id, value: Buffer.from(id) })),
    );

  const read = async (options: Partial<SubscribeOptions> = {}) => {
    const seen: string[] = [];
    const cursors = new Map<number, bigint>();
    const caughtUp = new Map<number, bigint>();
    const subscription = await eventLog.subscribe({
      topic,
      group: randomUUID(),
      nextOffset: async (partition) => cursors.get(partition) ?? 0n,
      onCaughtUp: async (partition, nextOffset) => void caughtUp.set(partition, nextOffset),
      ...options,
      async onBatch(batch) {
        await options.onBatch?.(batch);
        cursors.set(batch.partition, batch.nextOffset);
        seen.push(...batch.records.map(({ value }) => Buffer.from(value).toString()));
      },
    });
    subscriptions.push(subscription);
    return { seen, caughtUp, subscription };
  };
  const deleteBelow = async (offset: string): Promise<void> => {
    await admin.fetchTopicOffsets(topic); // kafkajs deletes only records of a topic that it knows
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset }] });
  };
  /** Why reading ended, or what it handed out instead. */
  const untilItEnds = async ({ seen, subscription }: Awaited<ReturnType<typeof read>>): Promise<string> => {
    let reason: string | undefined;
    subscription.failed.catch((error: Error) => (reason = error.message));
    await eventually(() => reason !== undefined || seen.length > 0, { withinMs: 20_000 });
    return reason ?? `handed out ${seen.join(', ')}`;
  };
  const someTime = () => new Promise((resolve) => setTimeout(resolve, 1_500)); // several looks at the log's ends

  it('gathers what arrives under load: fetches are 100 ms apart', async () => {
    let batches = 0;
    const reading = await read({ onBatch: async () => void (batches += 1) });
    await append('first');
    await eventually(() => reading.seen.length > 0, { withinMs: 20_000 }); // the group is formed
    batches = 0;
    const startedMs = systemClock.monotonicMs();
    let appended = 1;
    while (systemClock.monotonicMs() - startedMs < 1_000) appended += (await append('a', 'b', 'c')).length;
    await eventually(() => reading.seen.length === appended, { withinMs: 10_000 });
    expect(batches).toBeLessThanOrEqual((systemClock.monotonicMs() - startedMs) / 100 + 3);
  });

  it.each([
    ['some', '2', /counted up to 0, but the log goes on at 2/],
    ['all', '3', /counted up to 0, but the log goes on at 3/],
  ])('F23 does not begin where %s of the uncounted records are gone', async (_which, offset, said) => {
    await append('a', 'b', 'c');
    await deleteBelow(offset);
    const reading = await read();
    expect(await untilItEnds(reading)).toMatch(said);
    expect(reading.seen).toEqual([]);
  });

  it.each([
    ['goes on behind them', '2'],
    ['ends behind them', '3'],
  ])('F23 stops when records are deleted before they are counted, and the log %s', async (_where, offset) => {
    let isAway = true;
    const reading = await read({
      async onBatch() {
        if (isAway) throw new Error('the database is away');
      },
    });
    await append('a', 'b', 'c');
    await someTime();
    await deleteBelow(offset);
    isAway = false;
    expect(await untilItEnds(reading)).toMatch(/counted up to 0, but the log goes on at \d/);
    await append('d');
    await someTime();
    expect(reading.seen).toEqual([]);
  });

  it('F13 goes by its own cursor, whatever Kafka has noted for the group', async () => {
    const group = randomUUID();
    await append('a', 'b', 'c', 'd');
    await admin.setOffsets({ groupId: group, topic, partitions: [{ partition: 0, offset: '3' }] });
    const { seen } = await read({ group, nextOffset: async () => 1n });
    await eventually(() => seen.includes('d'), { withinMs: 30_000 });
    expect(seen).toEqual(['b', 'c', 'd']);
  });

  it('F22 reads partitions that are added meanwhile from their first record, and announces them before', async () => {
    const story: string[] = [];
    const { seen, caughtUp } = await read({
      onPartitions: async (partitions) => void story.push(`${partitions} partitions`),
      onBatch: async ({ partition, firstOffset }) => void story.push(`${partition} from ${firstOffset}`),
    });
    await append('a');
    await eventually(() => seen.includes('a'), { withinMs: 30_000 });
    await admin.createPartitions({ topicPartitions: [{ topic, count: 3 }] });
    await eventually(async () => (await eventLog.partitionsOf(topic)) === 3, { withinMs: 5_000 });
    const late = client.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
    await late.connect();
    await late.send({ topic, messages: [1, 2].map((partition) => ({ partition, value: `first of ${partition}` })) });
    await late.disconnect();
    await eventually(() => seen.length >= 3 && caughtUp.size === 3, { withinMs: 60_000 });
    // A producer may send a record twice when a new partition is slow to acknowledge it.
    expect([...new Set(seen)].toSorted()).toEqual(['a', 'first of 1', 'first of 2']);
    expect(story.slice(0, 3)).toEqual(['1 partitions', '0 from 0', '3 partitions']);
    expect(story.slice(3)).toEqual(expect.arrayContaining(['1 from 0', '2 from 0']));
  }, 90_000);

  it('F22 hands out nothing, and reports nothing as caught up, while new partitions cannot be announced', async () => {
    const { seen, caughtUp } = await read({
      onPartitions: async () => {
        throw new Error('the database is away');
      },
    });
    await append('a');
    await someTime();
    expect([seen, [...caughtUp]]).toEqual([[], []]);
  });

  it.each([
    ['gzip', CompressionTypes.GZIP],
    ['F26 lz4', CompressionTypes.LZ4],
  ])('%s: the broker unpacks records that a foreign producer packed', async (_codec, compression) => {
    const { seen } = await read();
    await producer.send({ topic, compression, messages: ['a', 'b'].map((value) => ({ partition: 0, value })) });
    await eventually(() => seen.length === 2, { withinMs: 30_000 });
    expect(seen).toEqual(['a', 'b']);
  });

  it('F25 refuses a record that unpacks to more than a reader should hold', async () => {
    const bomb = { topic, compression: CompressionTypes.GZIP, messages: [{ value: Buffer.alloc(64 * 1024 * 1024) }] };
    await expect(producer.send(bomb)).rejects.toThrow(/larger than the max message size|too large|INVALID|large/i);
    const { seen } = await read();
    await append('after');
    await eventually(() => seen.length === 1, { withinMs: 30_000 });
    expect(seen).toEqual(['after']);
  });

  it('reads records without key or value, and past the marker that ends a transaction', async () => {
    const { seen, caughtUp } = await read();
    const transaction = await beginTransaction(address, { topic, messages: [{ partition: 0, value: null }] });
    await transaction.commit();
    await append('after');
    await eventually(() => seen.length === 2 && caughtUp.get(0) === 3n, { withinMs: 30_000 });
    expect(seen).toEqual(['', 'after']);
  }, 90_000);

  it('reads on behind an open transaction, and is caught up where only its marker was left to read', async () => {
    const { seen, caughtUp } = await read();
    const transaction = await beginTransaction(address, { topic, messages: [{ partition: 0, value: null }] });
    await append('beside');
    await eventually(() => caughtUp.get(0) === 2n, { withinMs: 30_000 });
    await transaction.commit();
    await eventually(() => caughtUp.get(0) === 3n, { withinMs: 10_000 });
    await append('after');
    await eventually(() => caughtUp.get(0) === 4n, { withinMs: 10_000 });
    expect(seen).toEqual(['', 'beside', 'after']);
  }, 90_000);

  it('F86 fails for good, and says so, when its consumer has crashed for good', async () => {
    const group = randomUUID();
    const name = 'foreign';
    const stranger = client.consumer({
      groupId: group,
      partitionAssigners: [
        (config) => ({
          ...PartitionAssigners.roundRobin(config),
          name,
          version: 0,
          protocol: ({ topics }) => ({
            name,
            metadata: AssignerProtocol.MemberMetadata.encode({ version: 0, topics, userData: Buffer.alloc(0) }),
          }),
        }),
      ],
    });
    await stranger.connect();
    await stranger.subscribe({ topic });
    await stranger.run({ eachBatch: async () => undefined });
    const { subscription } = await read({ group });
    await expect(subscription.failed).rejects.toThrow(/protocol/i);
    await stranger.disconnect();
  }, 90_000);
});
