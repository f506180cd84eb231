import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { UsageEventRecord } from '@tollgate/contracts/event-record';
import { createKafkaEventLog, type KafkaEventLog } from '@tollgate/event-log/kafka';
import { mendTopics } from '@tollgate/event-log/kafka/mend-topics';
import type { Service } from '@tollgate/kernel/service';
import { eventually } from '@tollgate/testkit/eventually';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import { beginTransaction } from '@tollgate/testkit/kafka/begin-transaction';
import { isProduce } from '@tollgate/testkit/kafka/kafka-requests';
import { readTopic } from '@tollgate/testkit/kafka/read-topic';
import { startKafka, type KafkaBroker } from '@tollgate/testkit/kafka/start-kafka';
import { countingFixture, log, rules, toLogRecord, topic, usageEvent } from '../support/counting-fixture.ts';

const describeKafka = await describeWithKafka();

describeKafka('counting what Kafka holds', () => {
  const fixture = countingFixture();
  let kafka: KafkaBroker;
  let running: Service[];
  let eventLog: KafkaEventLog;

  beforeAll(async () => {
    kafka = await startKafka();
    await grow(2);
  }, 90_000);
  afterAll(() => kafka?.destroy());
  beforeEach(async () => {
    running = [];
    eventLog = await connect();
  });
  afterEach(async () => {
    for (const service of running.toReversed()) await service.stop();
  });

  const grow = (partitions: number) =>
    mendTopics({
      connection: { brokers: [kafka.address] },
      topics: { [topic]: { partitions, replicationFactor: 1 } },
      log,
    });

  const connect = async (): Promise<KafkaEventLog> => {
    const connected = createKafkaEventLog({
      connection: { brokers: [kafka.proxiedAddress] },
      topics: {},
      cursorsUrl: fixture.test.urlFor('aggregator_worker'),
      appendDeadlineMs: rules.appendDeadlineMs,
      clock: fixture.clock,
      log,
    });
    await connected.start();
    running.push(connected);
    return connected;
  };

  const aggregate = async (): Promise<Service> => {
    const aggregator = fixture.newAggregator(await connect());
    await aggregator.start();
    running.push(aggregator);
    return aggregator;
  };

  const append = (events: readonly UsageEventRecord[], to = eventLog) => to.append(topic, events.map(toLogRecord));
  const counted = () => fixture.count('usage.event');
  const newEvents = (count: number) =>
    Array.from({ length: count }, (_, index) => usageEvent({ tool_id: `tool-${index % 20}` }));

  it('F17 counts once what is in the log twice, since an answer was lost after the append', async () => {
    const before = await counted();
    await append(newEvents(1));
    const dropped = kafka.proxy.dropAnswer(isProduce);
    await append(newEvents(5));
    await dropped;
    expect(await readTopic(kafka.address, topic)).toHaveLength(11);
    await aggregate();
    await eventually(async () => (await counted()) === before + 6, { withinMs: 20_000 });
    await eventually(async () => (await cursorSum()) === 11n, { withinMs: 10_000 });
    expect(await counted()).toBe(before + 6);
  }, 40_000);

  it('reads the records that are not counted, no others, and stops when its caller has enough', async () => {
    const events = newEvents(30);
    await append(events);
    const found: string[] = [];
    await eventLog.readUncounted(topic, { onRecord: ({ value }) => void found.push(idOf(value)) });
    expect(found.toSorted()).toEqual(events.map(({ event_id: id }) => id).toSorted());

    const enough = new AbortController();
    const some: string[] = [];
    const onRecord = ({ value }: { readonly value: Uint8Array }) => {
      some.push(idOf(value));
      enough.abort();
    };
    await eventLog.readUncounted(topic, { onRecord, enough: enough.signal });
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThan(events.length);
  }, 30_000);

  it('F25 keeps a record that is no event as a dead letter, once, and moves on', async () => {
    const before = await fixture.count('usage.dead_letter');
    const poison = ['', '\u0000', 'not JSON', '{"v":1}', '{"v":2}', '[[[[', '\ufffe'.repeat(10)].map((text) => ({
      key: 'poison',
      value: Buffer.from(text),
    }));
    await eventLog.append(topic, [...poison, { key: 'poison', value: Buffer.from([0xff, 0xfe, 0x00]) }]);
    const after = newEvents(4);
    await append(after);
    await aggregate();
    await eventually(() => areCounted(after), { withinMs: 20_000 });
    await eventually(async () => (await fixture.count('usage.dead_letter')) === before + 8, { withinMs: 5_000 });
  }, 40_000);

  it('counts what a transaction wrote, and moves the cursor past its marker', async () => {
    const before = BigInt((await readTopic(kafka.address, topic)).length);
    await aggregate();
    const events = newEvents(1);
    const transaction = await beginTransaction(kafka.address, { topic, messages: events.map(toLogRecord) });
    await eventually(() => areCounted(events), { withinMs: 20_000 });
    await transaction.commit();
    await eventually(async () => (await cursorSum()) === before + 2n, { withinMs: 5_000 });
  }, 40_000);

  it('F22 counts partitions that are added under load from their first record, and holds the watermark back for them', async () => {
    await aggregate();
    const all = newEvents(20);
    await append(all);
    let isOver = false;
    const load = (async () => {
      while (!isOver) {
        const some = newEvents(10);
        await append(some);
        all.push(...some);
      }
    })();
    await grow(4);
    await eventually(async () => (await fixture.valueOf('select partitions from usage.log_topic')) === 4, {
      withinMs: 1_500,
    });
    const late = await connect(); // a gateway that starts now appends to all four
    const first = newEvents(60);
    const positions = await append(first, late);
    expect(new Set(positions.map(({ partition }) => partition)).size).toBe(4);
    isOver = true;
    await load;
    await eventually(() => areCounted([...all, ...first]), { withinMs: 20_000 });
    await eventually(async () => (await fixture.watermark()) > 0, { withinMs: 10_000 });
  }, 60_000);

  it('F24 counts each event once while aggregators join and leave', async () => {
    const events = newEvents(400);
    const first = await aggregate();
    const load = (async () => {
      for (let at = 0; at < events.length; at += 10) await append(events.slice(at, at + 10));
    })();
    await aggregate();
    await first.stop();
    await aggregate();
    await load;
    await eventually(() => areCounted(events), { withinMs: 30_000 });
  }, 60_000);

  it('F15 counts on by itself when the broker is back', async () => {
    const events = newEvents(20);
    await aggregate();
    await append(events.slice(0, 10));
    await eventually(() => areCounted(events.slice(0, 10)), { withinMs: 15_000 });
    await kafka.kill();
    await kafka.start();
    await eventually(() => append(events.slice(10)), { withinMs: 10_000 });
    await eventually(() => areCounted(events), { withinMs: 15_000 });
    await eventually(async () => (await driftedRollups()) === 0, { withinMs: 5_000 });
  }, 90_000);

  async function areCounted(events: readonly UsageEventRecord[]): Promise<boolean> {
    const ids = events.map(({ event_id: id }) => id);
    return fixture.valueOf('select count(*) = $2 from usage.event where event_id = any($1)', [ids, ids.length]);
  }

  async function cursorSum(): Promise<bigint> {
    return BigInt(await fixture.valueOf<string>('select sum(next_offset)::text from usage.cursor'));
  }

  function driftedRollups(): Promise<number> {
    return fixture.valueOf('select ((select sum(calls) from usage.rollup) - (select count(*) from usage.event))::int');
  }
});

function idOf(value: Uint8Array): string {
  return (JSON.parse(Buffer.from(value).toString()) as UsageEventRecord).event_id; // appended here
}
