import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { UsageEventRecord } from '@tollgate/contracts/events/event-record';
import { createKafkaEventLog, type KafkaEventLog } from '@tollgate/event-log/kafka';
import { mendTopics } from '@tollgate/event-log/kafka/mend-topics';
import { toIso } from '@tollgate/kernel/clock';
import { dayMs, minuteMs } from '@tollgate/kernel/durations';
import type { Service } from '@tollgate/kernel/service';
import { eventually } from '@tollgate/testkit/eventually';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import { appendDated } from '@tollgate/testkit/kafka/append-dated';
import { deleteTopic } from '@tollgate/testkit/kafka/delete-topic';
import { isProduce } from '@tollgate/testkit/kafka/kafka-requests';
import { readTopic } from '@tollgate/testkit/kafka/read-topic';
import { startKafka, type KafkaBroker } from '@tollgate/testkit/kafka/start-kafka';
import {
  consumerId,
  countingFixture,
  log,
  rules,
  startMs,
  toLogRecord,
  topic,
  trailMs,
  usageEvent,
} from '../support/counting-fixture.ts';

const describeKafka = await describeWithKafka();

describeKafka('counting what Kafka holds', () => {
  const fixture = countingFixture();
  let kafka: KafkaBroker;
  let running: Service[];
  let eventLog: KafkaEventLog;

  beforeAll(async () => {
    kafka = await startKafka();
    await grow(1);
    // They have rows of its two partitions.
    await fixture.owner.query('delete from usage.cursor; delete from usage.log_topic');
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
      topics: {}, // a check would refuse the topic while it takes the times of a producer
      cursorsUrl: fixture.test.urlFor('aggregator_worker'),
      appendDeadlineMs: rules.appendDeadlineMs,
      clock: fixture.clock,
      log,
    });
    await connected.start();
    running.push(connected);
    return connected;
  };

  const aggregate = async (onFailed?: (error: unknown) => void): Promise<void> => {
    const aggregator = fixture.newAggregator(await connect(), onFailed);
    await aggregator.start();
    running.push(aggregator);
  };

  const append = (events: readonly UsageEventRecord[], to = eventLog) => to.append(topic, events.map(toLogRecord));
  const counted = () => fixture.count('usage.event');
  const newEvents = (count: number) =>
    Array.from({ length: count }, (_, index) => usageEvent({ tool_id: `tool-${index % 20}` }));

  it('F31 moves the watermark by receipt and counts events in their own hours, though Kafka dates them a day off', async () => {
    // One event per minute of the last half hour, each of a call an hour before its receipt.
    const receivedMs = Array.from({ length: 30 }, (_, index) => startMs - (30 - index) * minuteMs);
    const events = receivedMs.map((ms) =>
      usageEvent({ received_at: toIso(ms), occurred_at: toIso(ms - 60 * minuteMs) }),
    );
    const dated = events.map((event, index) => ({
      key: toLogRecord(event).key,
      value: JSON.stringify(event),
      timestamp: String(startMs + (index % 2 === 0 ? dayMs : -dayMs)),
    }));
    await appendDated(kafka.address, topic, dated);
    await fixture.owner.query(`create function public.refuse_last() returns trigger language plpgsql as
      $$ begin if new.event_id = '${events.at(-1)?.event_id}' then raise exception 'not yet'; end if; return new; end $$;
      create trigger refuse_last before insert on usage.event for each row execute function refuse_last()`);
    await aggregate();
    // The last is not counted yet: the watermark stands where the one before it was received.
    await eventually(async () => (await counted()) === events.length - 1, { withinMs: 30_000 });
    expect(await fixture.watermark()).toBe((receivedMs.at(-2) ?? 0) - trailMs);

    await fixture.owner.query('drop function public.refuse_last cascade');
    await eventually(async () => (await fixture.watermark()) >= startMs - trailMs, { withinMs: 20_000 });
    expect(await fixture.watermark()).toBeLessThanOrEqual(fixture.clock.now() - trailMs);
    expect(await fixture.rollups()).toEqual([`${consumerId} weather 2026-11-21 11:00:00 t 30 0`]);
  }, 60_000);

  it('F17 counts once what is in the log twice, since an answer was lost after the append', async () => {
    const before = await counted();
    const logged = (await readTopic(kafka.address, topic)).length;
    await append(newEvents(1));
    const dropped = kafka.proxy.dropAnswer(isProduce);
    await append(newEvents(5));
    await dropped;
    expect(await readTopic(kafka.address, topic)).toHaveLength(logged + 11);
    await aggregate();
    await eventually(async () => (await counted()) === before + 6, { withinMs: 20_000 });
    await eventually(async () => (await cursorSum()) === logged + 11, { withinMs: 10_000 });
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
    const first: UsageEventRecord[] = [];
    try {
      await grow(4);
      await eventually(async () => (await fixture.valueOf('select partitions from usage.log_topic')) === 4, {
        withinMs: 1_500,
      });
      // A gateway that starts now appends to all four, once each has a leader. It keeps the number that it has found.
      await eventually(
        async () => {
          const late = await connect();
          const some = newEvents(60);
          first.push(...some);
          return new Set((await append(some, late)).map(({ partition }) => partition)).size === 4;
        },
        { withinMs: 20_000, everyMs: 100 },
      );
    } finally {
      isOver = true;
      await load;
    }
    await eventually(() => areCounted([...all, ...first]), { withinMs: 20_000 });
    await eventually(async () => (await fixture.watermark()) > 0, { withinMs: 10_000 });
  }, 60_000);

  it('F271 ends before it counts a topic that was made anew, until somebody says that it may', async () => {
    await grow(1);
    await append(newEvents(1));
    await aggregate();
    await eventually(async () => (await cursorSum()) === (await readTopic(kafka.address, topic)).length, {
      withinMs: 20_000,
    });
    for (const service of running.splice(0).toReversed()) await service.stop();
    const before = [await counted(), await cursorSum()];
    await deleteTopic(kafka.address, topic);
    await eventually(() => grow(4), { withinMs: 20_000 });
    const events = newEvents(2 * (before[1] ?? 0)); // beyond each cursor
    const anew = await connect();
    // In parts: the test before may have logged more than waits for a broker at once.
    for (let at = 0; at < events.length; at += 500) await append(events.slice(at, at + 500), anew);

    let failure: unknown;
    await aggregate((error) => (failure = error));
    await eventually(async () => failure !== undefined || (await counted()) !== before[0], { withinMs: 20_000 });
    expect(failure).toMatchObject({ name: 'RecordsGone', message: expect.stringMatching(/another log/) });
    expect([await counted(), await cursorSum()]).toEqual(before);
    for (const service of running.splice(0).toReversed()) await service.stop();

    await fixture.owner.query(statementOf('A log that was made anew'));
    await aggregate();
    await eventually(() => areCounted(events), { withinMs: 20_000 });
    expect(await counted()).toBe((before[0] ?? 0) + events.length);
  }, 120_000);

  async function areCounted(events: readonly UsageEventRecord[]): Promise<boolean> {
    const ids = events.map(({ event_id: id }) => id);
    return fixture.valueOf('select count(*) = $2 from usage.event where event_id = any($1)', [ids, ids.length]);
  }

  function cursorSum(): Promise<number> {
    return fixture.valueOf('select sum(next_offset)::int from usage.cursor');
  }
});

/** The SQL that the operators' handbook names in this section. */
function statementOf(section: string): string {
  const handbook = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
  const [, statement = ''] = /```sql\n(.*?)```/s.exec(handbook.split(`## ${section}\n`)[1] ?? '') ?? [];
  return statement;
}

function idOf(value: Uint8Array): string {
  return (JSON.parse(Buffer.from(value).toString()) as UsageEventRecord).event_id; // appended here
}
