import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { dayMs, minuteMs } from '@tollgate/kernel/durations';
import { toIso } from '@tollgate/kernel/clock';
import { createKafkaEventLog } from '@tollgate/event-log/kafka';
import { mendTopics } from '@tollgate/event-log/kafka/mend-topics';
import type { Service } from '@tollgate/kernel/service';
import { eventually } from '@tollgate/testkit/eventually';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import { appendDated } from '@tollgate/testkit/kafka/append-dated';
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

/** Received in the last half hour, and all of the hour before: one a minute. */
const receivedMs = Array.from({ length: 30 }, (_, index) => startMs - (30 - index) * minuteMs);
const events = receivedMs.map((ms) => usageEvent({ received_at: toIso(ms), occurred_at: toIso(ms - 60 * minuteMs) }));

describeKafka('records that Kafka dates a day ahead or a day ago', () => {
  const fixture = countingFixture();
  let kafka: KafkaBroker;
  const running: Service[] = [];

  beforeAll(async () => {
    kafka = await startKafka();
    const topics = { [topic]: { partitions: 1, replicationFactor: 1 } };
    await mendTopics({ connection: { brokers: [kafka.address] }, topics, log });
    await fixture.owner.query('delete from usage.cursor; delete from usage.log_topic'); // of its two partitions
  }, 90_000);
  afterAll(async () => {
    for (const service of running.toReversed()) await service.stop();
    await kafka?.destroy();
  });

  it('F31 move the watermark by receipt alone, and count in the hours in which their events were', async () => {
    await appendDated(
      kafka.address,
      topic,
      events.map((event, index) => ({
        key: toLogRecord(event).key,
        value: JSON.stringify(event),
        timestamp: String(startMs + (index % 2 === 0 ? dayMs : -dayMs)),
      })),
    );
    await refuseLast();
    await aggregate();
    // The last is not counted yet: the watermark stands where the one before it was received.
    await eventually(async () => (await fixture.count('usage.event')) === events.length - 1, { withinMs: 30_000 });
    expect(await fixture.watermark()).toBe((receivedMs.at(-2) ?? 0) - trailMs);

    await fixture.owner.query('drop function public.refuse_last cascade');
    await eventually(async () => (await fixture.watermark()) >= startMs - trailMs, { withinMs: 20_000 });
    expect(await fixture.watermark()).toBeLessThanOrEqual(fixture.clock.now() - trailMs);
    expect(await fixture.rollups()).toEqual([`${consumerId} weather 2026-11-21 11:00:00 t 30 0`]);
  }, 60_000);

  async function aggregate(): Promise<void> {
    const eventLog = createKafkaEventLog({
      connection: { brokers: [kafka.address] },
      topics: {}, // a check would refuse the topic: it takes the times of a producer
      cursorsUrl: fixture.test.urlFor('aggregator_worker'),
      appendDeadlineMs: rules.appendDeadlineMs,
      clock: fixture.clock,
      log,
    });
    for (const service of [eventLog, fixture.newAggregator(eventLog)]) {
      await service.start();
      running.push(service);
    }
  }

  async function refuseLast(): Promise<void> {
    await fixture.owner.query(`create function public.refuse_last() returns trigger language plpgsql as
      $$ begin if new.event_id = '${events.at(-1)?.event_id}' then raise exception 'not yet'; end if; return new; end $$`);
    await fixture.owner.query(
      'create trigger refuse_last before insert on usage.event for each row execute function refuse_last()',
    );
  }
});
