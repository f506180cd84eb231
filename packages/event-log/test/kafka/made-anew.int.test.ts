import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { describeWithKafka, testKafka } from '@tollgate/testkit/kafka';
import { Kafka, logLevel, type Admin } from 'kafkajs';
import type { KafkaEventLog } from '../../src/kafka.ts';
import { knownRecordOf } from '../../src/known-record.ts';
import type { KnownRecord, Subscription } from '../../src/event-log.ts';
import { kafkaLogAt, makeTopic } from '../support/kafka-log.ts';

const describeKafka = await describeWithKafka();

/** The state that a reader's database keeps. */
interface Counted {
  readonly seen: string[];
  next: bigint;
  last: KnownRecord | undefined;
}

describeKafka('a topic that was made anew while the cursor stayed', () => {
  let address: string;
  let admin: Admin;
  let topic: string;
  const logs: KafkaEventLog[] = [];
  const subscriptions: Subscription[] = [];

  beforeAll(async () => {
    ({ address } = await testKafka());
    admin = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING, retry: { retries: 10 } }).admin();
    await admin.connect();
  }, 90_000);
  afterAll(() => admin?.disconnect());
  beforeEach(async () => {
    topic = `made-anew.${randomUUID()}`;
    await makeTopic(address, topic);
  });
  afterEach(async () => {
    for (const subscription of subscriptions.splice(0)) await subscription.stop();
    for (const log of logs.splice(0)) await log.stop();
  });

  async function open(): Promise<KafkaEventLog> {
    const log = kafkaLogAt(address);
    await log.start();
    logs.push(log);
    return log;
  }

  /** Appends with a gateway of its own: one that knows the old topic may wait for its leader. */
  async function append(...ids: string[]): Promise<void> {
    const records = ids.map((id) => ({ key: id, value: Buffer.from(id) }));
    const log = await open();
    await eventually(() => log.append(topic, records), { withinMs: 20_000 });
  }

  async function read(counted: Counted, untilCommitted = async (): Promise<void> => undefined): Promise<Subscription> {
    const subscription = await (
      await open()
    ).subscribe({
      topic,
      group: topic,
      nextOffset: async () => counted.next,
      lastRecord: async () => counted.last,
      onCaughtUp: async () => undefined,
      async onBatch({ nextOffset, records }) {
        const last = records.at(-1);
        counted.seen.push(...records.map(({ value }) => Buffer.from(value).toString()));
        counted.next = nextOffset;
        counted.last = (last && knownRecordOf(last)) ?? counted.last;
        await untilCommitted();
      },
    });
    subscriptions.push(subscription);
    return subscription;
  }

  async function makeAnew(...ids: string[]): Promise<void> {
    await admin.deleteTopics({ topics: [topic] });
    await makeTopic(address, topic);
    await append(...ids);
  }

  const counting = (): Counted => ({ seen: [], next: 0n, last: undefined });
  const hasSeen = (counted: Counted, count: number) =>
    eventually(() => counted.seen.length === count, { withinMs: 30_000 });
  /** Why reading ended, or what it counted instead. */
  async function endOf({ failed }: Subscription, counted: Counted): Promise<string> {
    let reason: string | undefined;
    failed.catch((error: Error) => (reason = error.message));
    await eventually(() => reason !== undefined || counted.seen.length > 3, { withinMs: 30_000 });
    return reason ?? `counted ${counted.seen.slice(3).join(', ')}`;
  }
  const isAnother = /the record at 2 is not the one that was counted last, so this is another log/;
  const isAnotherOrShort = /is another log|the log goes on at/;

  it.each([
    ['holds more records than were counted', ['d', 'e', 'f', 'g', 'h']],
    ['holds as many records as were counted', ['d', 'e', 'f']],
    ['holds the same records as before, at another time', ['a', 'b', 'c', 'd']],
  ])(
    'F271 ends a stopped reader when it %s',
    async (_how, ids) => {
      const counted = counting();
      await append('a', 'b', 'c');
      const first = await read(counted);
      await hasSeen(counted, 3);
      await first.stop();
      await makeAnew(...ids);
      expect(await endOf(await read(counted), counted)).toMatch(isAnother);
      expect(counted.seen).toHaveLength(3);
    },
    90_000,
  );

  it('F271 ends a reader that was busy with its last batch all the while', async () => {
    const counted = counting();
    const mayEnd = Promise.withResolvers<void>();
    await append('a', 'b', 'c');
    const reading = await read(counted, () => mayEnd.promise);
    await hasSeen(counted, 3);
    await makeAnew('d', 'e', 'f', 'g', 'h');
    mayEnd.resolve();
    expect(await endOf(reading, counted)).toMatch(isAnotherOrShort);
    expect(counted.seen).toEqual(['a', 'b', 'c']);
  }, 90_000);

  it('is no other log when it is the same one, read again from its last record on', async () => {
    const counted = counting();
    await append('a', 'b', 'c');
    const first = await read(counted);
    await hasSeen(counted, 3);
    await first.stop();
    await append('d');
    const second = await read(counted);
    await hasSeen(counted, 4);
    await second.stop();
    expect(counted.seen).toEqual(['a', 'b', 'c', 'd']);
  }, 90_000);

  it('is no other log when retention has deleted the last record', async () => {
    const counted = counting();
    await append('a', 'b', 'c');
    const first = await read(counted);
    await hasSeen(counted, 3);
    await first.stop();
    await admin.fetchTopicOffsets(topic); // kafkajs deletes only records of a topic that it knows
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '3' }] });
    await append('d');
    await read(counted);
    await hasSeen(counted, 4);
    expect(counted.seen).toEqual(['a', 'b', 'c', 'd']);
  }, 90_000);
});
