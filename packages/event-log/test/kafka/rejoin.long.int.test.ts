import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { hourMs } from '@tollgate/kernel/durations';
import { systemClock } from '@tollgate/kernel/clock';
import { busyMs, eventually } from '@tollgate/testkit/eventually';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import { isCoordinatorLookup, isHeartbeat, withHeartbeatCode } from '@tollgate/testkit/kafka/kafka-requests';
import { startKafka, type KafkaBroker } from '@tollgate/testkit/kafka/start-kafka';
import { openKafkaLog, type KafkaLog } from '@tollgate/testkit/oracles/kafka-log';
import { Kafka, logLevel, type Producer } from 'kafkajs';
import type { Subscription } from '../../src/event-log.ts';
import { kafkaLogAt, makeTopic } from '../support/kafka-log.ts';

const topic = 'rejoin.v1';
const partitions = 4;
/** Less than the ten seconds after which the group removes a silent member. The member ids show that none was removed. */
const recoveredWithinMs = 6_000 + busyMs;
/**
 * One request goes unanswered before all connections to the broker are new: 5 s, or more on a busy machine. With
 * connections that outlive an unanswered request it takes 23 s and more.
 */
const halfOpenWithinMs = 16_000;
const unknownMember = 25; // an error code of Kafka
const describeKafka = await describeWithKafka();

describeKafka('two readers of a group on a broker of their own', () => {
  let broker: KafkaBroker;
  let log: KafkaLog;
  let producer: Producer;
  const subscriptions: Subscription[] = [];
  const cursors = new Map<number, bigint>();
  const seen = new Map<string, number>(); // values by reader
  let rounds = 0;

  beforeAll(async () => {
    broker = await startKafka();
    await makeTopic(broker.proxiedAddress, topic, { partitions });
    log = await openKafkaLog(broker.address, topic);
    producer = new Kafka({ brokers: [broker.address], logLevel: logLevel.NOTHING, retry: { retries: 20 } }).producer();
    await producer.connect();
    for (let reader = 0; reader < 2; reader += 1) {
      const subscription = await kafkaLogAt(broker.proxiedAddress).subscribe({
        topic,
        group: 'readers',
        nextOffset: async (partition) => cursors.get(partition) ?? 0n,
        onCaughtUp: async () => undefined,
        async onBatch({ partition, nextOffset, records }) {
          cursors.set(partition, nextOffset);
          for (const { value } of records) seen.set(Buffer.from(value).toString(), reader);
        },
      });
      subscriptions.push(subscription);
    }
    await isRead();
  }, 120_000);
  afterAll(async () => {
    for (const subscription of subscriptions) await subscription.stop();
    await producer?.disconnect();
    await log?.close();
    await broker?.destroy();
  });

  /** A fault in a group that is still rebalancing would be two faults at once. */
  async function untilBothRead(): Promise<void> {
    const reading = () => new Set([...seen].flatMap(([value, by]) => (value.startsWith(`${rounds} `) ? [by] : [])));
    await eventually(async () => (await isRead()) > 0 && reading().size === 2, { withinMs: 60_000 });
  }

  /** Sends a record to each partition. Answers how long it took until all were read. */
  async function isRead(withinMs = 60_000): Promise<number> {
    const startedMs = systemClock.monotonicMs();
    rounds += 1;
    const values = Array.from({ length: partitions }, (_, partition) => `${rounds} of ${partition}`);
    await producer.send({ topic, messages: values.map((value, partition) => ({ partition, value })) });
    await eventually(() => values.every((value) => seen.has(value)), { withinMs });
    return systemClock.monotonicMs() - startedMs;
  }

  it('F15 reads on within seconds when its connections were cut: each reader takes its old place in the group', async () => {
    // After a short cut, a consumer that crashed meanwhile could still tell its group that it leaves.
    for (const cutMs of [1_000, 100, 300, 760]) {
      await untilBothRead();
      const members = await log.membersOf('readers');
      broker.proxy.cut();
      await new Promise((resolve) => setTimeout(resolve, cutMs));
      broker.proxy.heal();
      expect(await isRead()).toBeLessThan(recoveredWithinMs);
      expect(await log.membersOf('readers')).toEqual(members);
    }
  }, 120_000);

  it('F16 reads on within seconds when its connections are half open: nothing arrives, and nothing says so', async () => {
    for (let times = 0; times < 2; times += 1) {
      await untilBothRead();
      broker.proxy.halfOpen();
      expect(await isRead()).toBeLessThan(halfOpenWithinMs);
    }
  }, 120_000);

  it('F15 comes back when the group does not know it any more, and no broker says who coordinates the group', async () => {
    await untilBothRead();
    const lookups: Promise<void>[] = [];
    await broker.proxy.changeAnswer(isHeartbeat, (answer) => {
      for (let times = 0; times < 3; times += 1) lookups.push(broker.proxy.dropAnswer(isCoordinatorLookup));
      return withHeartbeatCode(answer, unknownMember);
    });
    await Promise.all(lookups);
    expect(lookups).toHaveLength(3);
    await untilBothRead();
  }, 120_000);

  it('F49 keeps its place and its patience when the clock was set back by an hour', async () => {
    await untilBothRead();
    const [wasMs, startedMs] = [systemClock.now(), systemClock.monotonicMs()];
    const setBack = jest
      .spyOn(Date, 'now')
      .mockImplementation(() => wasMs - hourMs + Math.floor(systemClock.monotonicMs() - startedMs));
    try {
      let beats = 0;
      const note = (answer: Buffer): Buffer => ((beats += 1), answer);
      for (let rules = 0; rules < 6; rules += 1) void broker.proxy.changeAnswer(isHeartbeat, note);
      await eventually(() => beats === 6, { withinMs: 10_000 });
      broker.proxy.halfOpen(); // requests go unanswered, and must time out all the same
      expect(await isRead()).toBeLessThan(halfOpenWithinMs);
    } finally {
      setBack.mockRestore();
    }
  }, 120_000);

  it('F15 reads on within seconds when the broker is back from its death', async () => {
    await untilBothRead();
    const members = await log.membersOf('readers');
    await broker.kill();
    await broker.start();
    expect(await isRead()).toBeLessThan(recoveredWithinMs);
    expect(await log.membersOf('readers')).toEqual(members);
  }, 120_000);
});
