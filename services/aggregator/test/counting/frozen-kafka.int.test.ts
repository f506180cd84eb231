import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createKafkaEventLog } from '@tollgate/event-log/kafka';
import { mendTopics } from '@tollgate/event-log/kafka/mend-topics';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { busyMs, eventually } from '@tollgate/testkit/eventually';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import { startKafka, type KafkaBroker } from '@tollgate/testkit/kafka/start-kafka';
import { seriesIn } from '@tollgate/testkit/read-series';
import { countingFixture, log, partitions, rules, topic } from '../support/counting-fixture.ts';

const describeKafka = await describeWithKafka();

describeKafka('F274 an aggregator whose Kafka is frozen', () => {
  const fixture = countingFixture();
  let kafka: KafkaBroker;
  beforeAll(async () => {
    kafka = await startKafka();
    const connection = { brokers: [kafka.address] };
    await mendTopics({ connection, topics: { [topic]: { partitions, replicationFactor: 1 } }, log });
  }, 120_000);
  afterAll(() => kafka?.destroy());

  it('names the log alone, and since when, also while there is nothing to count', async () => {
    const eventLog = createKafkaEventLog({
      connection: { brokers: [kafka.address] },
      topics: {},
      cursorsUrl: fixture.test.urlFor('aggregator_worker'),
      appendDeadlineMs: rules.appendDeadlineMs,
      clock: fixture.clock,
      log,
    });
    const metrics = createMetrics({ service: 'aggregator' });
    const aggregator = fixture.newAggregator(eventLog, undefined, metrics);
    const isUp = async () => seriesIn(await metrics.registry.metrics())('tollgate_aggregator_log_up');
    async function missing(): Promise<(readonly [string, string])[]> {
      const checks = Object.entries(aggregator.readiness?.() ?? {});
      const answers = await Promise.all(checks.map(async ([name, check]) => [name, await check] as const));
      return answers.filter(([, answer]) => answer !== 'ok');
    }
    await aggregator.start();
    try {
      expect([await missing(), await isUp()]).toEqual([[], 1]);
      await kafka.freeze();
      await eventually(async () => (await isUp()) === 0, { withinMs: 10_000 + busyMs });
      expect(await missing()).toEqual([['log', expect.stringMatching(/^away since 20\d\d-.*Z, nothing is counted$/)]]);
      await kafka.thaw();
      await eventually(async () => (await isUp()) === 1, { withinMs: 30_000 + busyMs });
      expect(await missing()).toEqual([]);
    } finally {
      await kafka.thaw();
      await aggregator.stop();
      await eventLog.stop();
    }
  }, 120_000);
});
