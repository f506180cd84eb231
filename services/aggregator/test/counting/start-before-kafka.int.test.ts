import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { startChildService, type ChildService } from '@tollgate/testkit/child-service';
import { eventually } from '@tollgate/testkit/eventually';
import { createKafkaEventLog } from '@tollgate/event-log/kafka';
import { mendTopics } from '@tollgate/event-log/kafka/mend-topics';
import { dayMs } from '@tollgate/kernel/durations';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import { startKafka, type KafkaBroker } from '@tollgate/testkit/kafka/start-kafka';
import { buildStandalone } from '@tollgate/testkit/standalone-process';
import { fileURLToPath } from 'node:url';
import { countingFixture, log, rules, toLogRecord, topic, usageEvent } from '../support/counting-fixture.ts';

const main = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url));
const waiting = /does not answer; waiting for it/;
const describeKafka = await describeWithKafka();

describeKafka('an aggregator that starts while Kafka is away', () => {
  const fixture = countingFixture();
  const started: ChildService[] = [];
  let kafka: KafkaBroker;

  beforeAll(async () => {
    await buildStandalone();
    kafka = await startKafka();
    const needs = { partitions: 2, replicationFactor: 1, retentionMs: 7 * dayMs };
    await mendTopics({ connection: { brokers: [kafka.address] }, topics: { [topic]: needs }, log });
  }, 120_000);
  afterEach(async () => {
    for (const aggregator of started.splice(0)) await aggregator.destroy();
    kafka.proxy.heal();
  });
  afterAll(() => kafka?.destroy());

  function start(): ChildService {
    const env = {
      DATABASE_WORKER_URL: fixture.test.urlFor('aggregator_worker'),
      EVENT_LOG: 'kafka',
      KAFKA_BROKERS: kafka.proxiedAddress,
      KAFKA_REPLICATION_FACTOR: '1',
      HOST: '127.0.0.1',
      PORT: '0',
      METRICS_PORT: '0',
    };
    const aggregator = startChildService({ command: process.execPath, args: [main], env });
    started.push(aggregator);
    return aggregator;
  }

  it('F181 waits for it, says so, and counts what lies in the log once it is there', async () => {
    const eventLog = createKafkaEventLog({
      connection: { brokers: [kafka.address] },
      topics: {},
      cursorsUrl: fixture.test.urlFor('aggregator_worker'),
      appendDeadlineMs: rules.appendDeadlineMs,
      clock: fixture.clock,
      log,
    });
    await eventLog.append(topic, [usageEvent(), usageEvent(), usageEvent()].map(toLogRecord));
    await eventLog.stop();

    kafka.proxy.cut();
    const aggregator = start();
    await aggregator.line(/"failures":2,.*does not answer; waiting for it/, { withinMs: 60_000 });
    kafka.proxy.heal();
    await aggregator.line(/"msg":"started"/, { withinMs: 60_000 });
    await eventually(async () => (await fixture.count('usage.event')) === 3, { withinMs: 30_000 });
  }, 180_000);

  it('F181 ends at once with 0 when it is stopped while it waits', async () => {
    kafka.proxy.cut();
    const aggregator = start();
    await aggregator.line(waiting, { withinMs: 60_000 });
    aggregator.signal('SIGTERM');
    expect(await aggregator.exited).toMatchObject({ code: 0 });
    expect(aggregator.output()).not.toContain('did not finish within the deadline');
  }, 90_000);
});
