import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { usageEventsTopic } from '@tollgate/contracts/events/event-record';
import { createKafkaEventLog } from '@tollgate/event-log/kafka';
import { mendTopics } from '@tollgate/event-log/kafka/mend-topics';
import { systemClock } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { busyMs, eventually } from '@tollgate/testkit/eventually';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import { startKafka, type KafkaBroker } from '@tollgate/testkit/kafka/start-kafka';
import { testDatabase } from '@tollgate/testkit/postgres';
import { seriesIn } from '@tollgate/testkit/read-series';
import { startGateway, type GatewayUnderTest } from '../support/gateway-under-test.ts';
import { openBehindProxy } from '../support/open-behind-proxy.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const describeKafka = await describeWithKafka();
const deadlineMs = 1_000;
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function readChecks(gateway: GatewayUnderTest): Promise<{ status: number; checks: Record<string, string> }> {
  const { status, body } = await gateway.send<{ checks: Record<string, string> }>('GET', '/readyz');
  return { status, checks: body.checks };
}

/** How to send the event of an account and a tool that the gateway knows. */
async function sender(gateway: GatewayUnderTest) {
  const toolId = await gateway.newTool();
  const { token } = await gateway.newAccount();
  const record = async () => (await gateway.record({ tool_id: toolId }, { token })).status;
  expect(await record()).toBe(201);
  return record;
}

describeKafka('F274 a gateway whose Kafka is frozen', () => {
  let kafka: KafkaBroker;
  beforeEach(async () => {
    kafka = await startKafka();
    cleanUps.push(() => kafka.destroy());
  }, 120_000);

  it('stays ready and names the log, since when, until an event is durable again', async () => {
    const gateway = await startOn(kafka);
    const record = await sender(gateway);
    const isUp = async () => seriesIn(await gateway.metrics())('tollgate_gateway_log_up');
    expect([(await readChecks(gateway)).checks['log'], await isUp()]).toEqual(['ok', 1]);

    await kafka.freeze();
    expect(await record()).toBe(503);
    await eventually(async () => (await isUp()) === 0, { withinMs: deadlineMs + busyMs });
    const { status, checks } = await readChecks(gateway);
    expect(status).toBe(200);
    expect(checks['log']).toMatch(/^degraded: away since 20\d\d-.*Z, events get 503$/);
    expect(new Set(Object.entries(checks).map(([name, check]) => name === 'log' || check))).toEqual(
      new Set([true, 'ok']),
    );

    await kafka.thaw();
    await eventually(async () => (await record()) === 201, { withinMs: 10_000 + busyMs });
    expect([(await readChecks(gateway)).checks['log'], await isUp()]).toEqual(['ok', 1]);
  }, 120_000);

  it('names the log and its gauge falls and rises, though no event comes', async () => {
    const gateway = await startOn(kafka);
    const isUp = async () => seriesIn(await gateway.metrics())('tollgate_gateway_log_up');
    await kafka.freeze();
    await eventually(async () => (await isUp()) === 0, { withinMs: 10_000 + busyMs });
    expect((await readChecks(gateway)).checks['log']).toMatch(/^degraded: away since 20/);
    await kafka.thaw();
    await eventually(async () => (await isUp()) === 1, { withinMs: 30_000 + busyMs });
    expect((await readChecks(gateway)).checks['log']).toBe('ok');
  }, 120_000);
});

async function startOn({ address }: KafkaBroker): Promise<GatewayUnderTest> {
  const connection = { brokers: [address] };
  const needs = { partitions: 2, replicationFactor: 1, retentionMs: 7 * dayMs };
  await mendTopics({ connection, topics: { [usageEventsTopic]: needs }, log });
  const database = await testDatabase();
  const eventLog = createKafkaEventLog({
    connection,
    topics: {},
    cursorsUrl: database.urlFor('ingest_gateway_worker'),
    appendDeadlineMs: deadlineMs,
    clock: systemClock,
    log,
  });
  cleanUps.push(eventLog.stop);
  const settings = { APPEND_DEADLINE_MS: String(deadlineMs) };
  const gateway = await startGateway({ database, appendsTo: eventLog, settings });
  cleanUps.push(gateway.stop);
  return gateway;
}

describe('F274 a gateway whose PostgreSQL is away', () => {
  it.each(['cut', 'stall'] as const)(
    'stays ready, takes events of known accounts, and says since when it has read nothing (connections: %s)',
    async (weather) => {
      const { proxy, ...of } = await openBehindProxy(cleanUps);
      const gateway = await startGateway(of);
      cleanUps.push(gateway.stop);
      const record = await sender(gateway);
      const readFollowed = async () => {
        const { status, checks } = await readChecks(gateway);
        const { credentials, tools, passes, budgets, credit_limits } = checks;
        return { status, followed: [credentials, tools, passes, budgets, credit_limits] };
      };
      const areAll = (begin: string) => async () => {
        const { status, followed } = await readFollowed();
        return status === 200 && followed.every((check) => check?.startsWith(begin));
      };
      expect(await areAll('ok')()).toBe(true);
      proxy[weather]();
      await eventually(areAll('degraded: not read since 20'), { withinMs: 15_000 + busyMs });
      expect(await record()).toBe(201);
      proxy.heal();
      await eventually(areAll('ok'), { withinMs: 20_000 + busyMs });
    },
    120_000,
  );
});
