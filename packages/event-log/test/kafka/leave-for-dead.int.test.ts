import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { busyMs, eventually } from '@tollgate/testkit/eventually';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import { startKafka, type KafkaBroker } from '@tollgate/testkit/kafka/start-kafka';
import { openKafkaLog, type KafkaLog } from '@tollgate/testkit/oracles/kafka-log';
import type { KafkaEventLog } from '../../src/kafka.ts';
import { leaveForDead } from '../../src/kafka/leave-for-dead.ts';
import type { Subscription } from '../../src/event-log.ts';
import { kafkaLogAt, makeTopic } from '../support/kafka-log.ts';

const topic = 'leave-for-dead.v1';
const partitions = 4;
const log = createLogger({ name: 'test', level: 'silent' });
/** The group would wait for ten seconds until it removes a silent member by itself. */
const readOnWithinMs = 3_000 + busyMs;
const describeKafka = await describeWithKafka();

describeKafka('a pair of readers of which one dies', () => {
  let broker: KafkaBroker;
  let gateway: KafkaEventLog;
  let observer: KafkaLog;
  let group: string;
  const cursors = new Map<number, bigint>();
  const seen = new Set<string>();
  const subscriptions: Subscription[] = [];

  beforeAll(async () => {
    broker = await startKafka();
    await makeTopic(broker.address, topic, { partitions });
    gateway = kafkaLogAt(broker.address);
    await gateway.start();
    observer = await openKafkaLog(broker.address, topic);
  }, 120_000);
  afterAll(async () => {
    for (const subscription of subscriptions) await subscription.stop();
    await observer?.close();
    await gateway?.stop();
    await broker?.destroy();
  });

  async function read(address: string, readerId: string): Promise<void> {
    const subscription = await kafkaLogAt(address, { readerId }).subscribe({
      topic,
      group,
      nextOffset: async (partition) => cursors.get(partition) ?? 0n,
      onCaughtUp: async () => undefined,
      async onBatch({ partition, nextOffset, records }) {
        cursors.set(partition, nextOffset);
        for (const { value } of records) seen.add(Buffer.from(value).toString());
      },
    });
    subscriptions.push(subscription);
  }

  /** Appends to each partition, and answers how long it takes until all of it is read. */
  async function readAll(name: string): Promise<number> {
    const startedMs = systemClock.monotonicMs();
    const keys = Array.from({ length: 40 }, (_, at) => `${name} ${at}`); // some for each partition
    await gateway.append(
      topic,
      keys.map((key) => ({ key, value: Buffer.from(key) })),
    );
    await eventually(() => keys.every((key) => seen.has(key)), { withinMs: 60_000 });
    return systemClock.monotonicMs() - startedMs;
  }

  const members = (count: number) =>
    eventually(async () => (await observer.membersOf(group)).length === count, { withinMs: 60_000 });

  it.each([
    ['leads the group', 'mortal', 'survivor'],
    ['follows in it', 'survivor', 'mortal'],
  ])(
    'F273 the other reads on within 3 s when the one that %s left by its supervisor',
    async (place, first, second) => {
      group = `readers of which one ${place}`;
      const addressOf = (reader: string) => (reader === 'mortal' ? broker.proxiedAddress : broker.address);
      for (const reader of [first, second]) {
        await read(addressOf(reader), reader);
        await readAll(`${place}: ${reader} has joined`);
      }
      await members(2);
      broker.proxy.cut(); // to the broker it is dead
      const readOn = readAll(`${place}: one is dead`);
      expect(await leaveForDead({ connection: { brokers: [broker.address] }, group, clientId: 'mortal', log })).toBe(1);
      expect(await readOn).toBeLessThan(readOnWithinMs);
      await members(1);
      broker.proxy.heal();
      await members(2); // it lives after all
      for (const subscription of subscriptions.splice(0)) await subscription.stop();
    },
    120_000,
  );
});
