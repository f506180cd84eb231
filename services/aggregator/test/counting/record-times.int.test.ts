import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { partitionKeyOf } from '@tollgate/contracts/event-record';
import { dayMs, minuteMs } from '@tollgate/kernel/durations';
import { toIso } from '@tollgate/kernel/clock';
import { loadConfig } from '@tollgate/runtime/config/load-config';
import { createKafkaEventLog } from '@tollgate/event-log/kafka';
import { mendTopics } from '@tollgate/event-log/kafka/mend-topics';
import type { Service } from '@tollgate/kernel/service';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { eventually } from '@tollgate/testkit/eventually';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import { appendDated } from '@tollgate/testkit/kafka/append-dated';
import { startKafka, type KafkaBroker } from '@tollgate/testkit/kafka/start-kafka';
import { configSchema } from '../../src/config.ts';
import { createAggregator } from '../../src/service.ts';
import {
  consumerId,
  log,
  openCountingFixture,
  rules,
  startMs,
  topic,
  usageEvent,
  type CountingFixture,
} from '../support/counting-fixture.ts';

const describeKafka = await describeWithKafka();

const lateMs = rules.appendDeadlineMs + rules.clockSkewMaxMs;

/** Received in the last half hour, and all of the hour before: one a minute. */
const receivedMs = Array.from({ length: 30 }, (_, index) => startMs - (30 - index) * minuteMs);
const events = receivedMs.map((ms) => usageEvent({ received_at: toIso(ms), occurred_at: toIso(ms - 60 * minuteMs) }));

describeKafka('records that Kafka dates a day ahead or a day ago', () => {
  let kafka: KafkaBroker;
  let fixture: CountingFixture;
  const running: Service[] = [];

  beforeAll(async () => {
    kafka = await startKafka();
    const topics = { [topic]: { partitions: 1, replicationFactor: 1 } };
    await mendTopics({ connection: { brokers: [kafka.address] }, topics, log });
    fixture = await openCountingFixture();
    await fixture.owner.query('delete from usage.cursor; delete from usage.log_topic'); // of its two partitions
  }, 90_000);
  afterAll(async () => {
    for (const service of running.toReversed()) await service.stop();
    await fixture?.close();
    await kafka?.destroy();
  });

  it('F31 move the watermark by receipt alone, and count in the hours in which their events were', async () => {
    await appendDated(
      kafka.address,
      topic,
      events.map((event, index) => ({
        key: partitionKeyOf(event),
        value: JSON.stringify(event),
        timestamp: String(startMs + (index % 2 === 0 ? dayMs : -dayMs)),
      })),
    );
    await refuseLast();
    await aggregate();
    // The last is not counted yet: the watermark stands where the one before it was received.
    await eventually(async () => (await fixture.count('usage.event')) === events.length - 1, { withinMs: 30_000 });
    expect(await watermark()).toBe((receivedMs.at(-2) ?? 0) - lateMs);

    await fixture.owner.query('drop function public.refuse_last cascade');
    await eventually(async () => (await watermark()) >= startMs - lateMs, { withinMs: 20_000 });
    expect(await watermark()).toBeLessThanOrEqual(fixture.clock.now() - lateMs);
    expect(await fixture.rollups()).toEqual([`${consumerId} weather 2026-11-21 11:00:00 t 30 0`]);
  }, 60_000);

  async function aggregate(): Promise<void> {
    const eventLog = createKafkaEventLog({
      connection: { brokers: [kafka.address] },
      topics: {}, // that it takes the times of a producer would be refused
      cursorsUrl: fixture.test.urlFor('aggregator_worker'),
      appendDeadlineMs: rules.appendDeadlineMs,
      clock: fixture.clock,
      log,
    });
    const config = loadConfig(configSchema, { DATABASE_WORKER_URL: fixture.test.urlFor('aggregator_worker') });
    const metrics = createMetrics({ service: 'aggregator' });
    const aggregator = createAggregator(config, {
      eventLog,
      clock: fixture.clock,
      log,
      metrics,
      onFailed: () => undefined,
    });
    for (const service of [eventLog, aggregator]) {
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

  async function watermark(): Promise<number> {
    const { rows } = await fixture.owner.query<{ counted_through: Date }>(
      'select counted_through from usage.watermark_v1',
    );
    return rows[0]?.counted_through.getTime() ?? 0;
  }
});
