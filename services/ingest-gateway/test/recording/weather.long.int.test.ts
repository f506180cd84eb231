import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventBatchResult } from '@tollgate/contracts/events/event-answers';
import { createApiKey } from '@tollgate/runtime/auth/api-key-format';
import { bestRunBelow, msOf } from '@tollgate/testkit/best-run';
import { busyMs, eventually } from '@tollgate/testkit/eventually';
import { rawExchange } from '@tollgate/testkit/raw-http';
import { type GatewayOptions, type GatewayUnderTest, isReplay, startGateway } from '../support/gateway-under-test.ts';
import { openBehindProxy } from '../support/open-behind-proxy.ts';
import { stallLog } from '../support/stall-log.ts';
import { timed } from '../support/timed.ts';
import { usageEventsTopic } from '@tollgate/contracts/events/event-record';
import { createKafkaEventLog } from '@tollgate/event-log/kafka';
import { mendTopics } from '@tollgate/event-log/kafka/mend-topics';
import { systemClock } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import { type KafkaBroker, startKafka } from '@tollgate/testkit/kafka/start-kafka';
import { testDatabase } from '@tollgate/testkit/postgres';
import { seriesIn } from '@tollgate/testkit/read-series';

type BatchAnswer = EventBatchResult & { readonly code: string };

const cleanUps: (() => Promise<void>)[] = [];

/** A gateway that has an account and a tool in its memory, and how to record an event or a batch with them. */
async function started(options: GatewayOptions = {}) {
  const gateway = await startGateway(options);
  cleanUps.push(gateway.stop);
  const toolId = await gateway.newTool();
  const { token } = await gateway.newAccount();
  const record = (event: object = {}) => gateway.record({ tool_id: toolId, ...event }, { token });
  const recordAll = (events: readonly object[]) => {
    const body = { events: events.map((event) => ({ tool_id: toolId, ...event })) };
    return gateway.send<BatchAnswer>('POST', '/v1/events/batch', { token, body });
  };
  await record();
  return { gateway, token, toolId, record, recordAll };
}

/** The same, with an event log that answers no append until it is released. */
async function stalled(settings: Readonly<Record<string, string>>) {
  const parts = await started({ settings });
  const stall = await stallLog(parts.gateway.owner);
  cleanUps.push(stall.release);
  return { ...parts, release: stall.release };
}

async function heldEvents(gateway: GatewayUnderTest): Promise<number> {
  return Number(/^tollgate_gateway_held_events\{.*\} (\d+)$/m.exec(await gateway.metrics())?.[1]);
}

async function untilHeld(gateway: GatewayUnderTest, count: number): Promise<void> {
  await eventually(async () => (await heldEvents(gateway)) === count, { withinMs: 2_000, everyMs: 5 });
}

/** The most events that the gateway held at a time, until the end of the work. */
async function mostHeldUntil(gateway: GatewayUnderTest, work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const ended = work.finally(() => (isOver = true));
  let most = 0;
  for (; !isOver; await sleep(5)) most = Math.max(most, await heldEvents(gateway));
  await ended;
  return most;
}

/** A timer fires a little late, and the answer takes its way. */
const timerMs = 100;

const unavailable = (answer: { status: number; body: { code: string }; headers: Headers }) =>
  expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);

const log = createLogger({ name: 'test', level: 'silent' });
const describeKafka = await describeWithKafka();
const deadlineMs = 1_000;

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

describe('weather', () => {
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
  });

  describe('while the log does not answer', () => {
    it('F16 answers 503 with Retry-After at the deadline, and the retry gets the outcome of the first', async () => {
      const { gateway, record, release } = await stalled({ APPEND_DEADLINE_MS: '1000' });
      const event = { idempotency_key: 'late' };
      const { answer, tookMs } = await timed(() => record(event));
      unavailable(answer);
      expect(tookMs).toBeGreaterThanOrEqual(990);
      const retry = record(event); // waits for the first append, which is still under way
      setTimeout(() => void release(), 100);
      expect([(await retry).status, isReplay(await retry)]).toEqual([201, true]);
      const records = (await gateway.appended()).filter((appended) => appended.idempotency_key === 'late');
      expect(records.map((appended) => appended.event_id)).toEqual([(await retry).body.event_id]);
    });

    it('F16 answers by the deadline', async () => {
      const { record } = await stalled({ APPEND_DEADLINE_MS: '1000' });
      expect(await bestRunBelow(1_000 + timerMs, () => msOf(async () => unavailable(await record())))).toBe('held');
    });

    it('never sends a record that no caller waits for any more', async () => {
      const { gateway, record, release } = await stalled({ APPEND_DEADLINE_MS: '1000' });
      const first = record({ idempotency_key: 'in-flight' });
      await untilHeld(gateway, 1);
      const queued = await record({ idempotency_key: 'queued' });
      expect([(await first).status, queued.status]).toEqual([503, 503]);
      await release();
      await untilHeld(gateway, 0);
      const keys = (await gateway.appended()).map((appended) => appended.idempotency_key);
      expect(keys).toContain('in-flight');
      expect(keys).not.toContain('queued');
    });

    it('F83 holds no more than its bound: one event too many is 503 at once, and later it resumes', async () => {
      const settings = { APPEND_DEADLINE_MS: '5000', HELD_EVENTS_MAX: '1000' };
      const { gateway, recordAll, release } = await stalled(settings);
      const held = recordAll(Array.from({ length: 999 }, () => ({})));
      await untilHeld(gateway, 999);
      await bestRunBelow(timerMs, () => msOf(async () => unavailable(await recordAll([{}, {}]))));
      await release();
      const { status, body } = await held;
      expect([status, body.recorded]).toEqual([200, 999]);
      expect((await recordAll([{}, {}])).status).toBe(200);
    });

    it.each(['/v1/events', '/v1/events/batch'])(
      'F83 refuses before it reads the body, for a flood of refusals must cost little: %s',
      async (path) => {
        const settings = { APPEND_DEADLINE_MS: '5000', HELD_EVENTS_MAX: '1000' };
        const { gateway, token, recordAll, release } = await stalled(settings);
        const held = recordAll(Array.from({ length: 1_000 }, () => ({})));
        await untilHeld(gateway, 1_000);
        const head = [`POST ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`];
        const rest = ['Content-Type: application/json', 'Content-Length: 100', 'Connection: close', '', ''];
        const unread = await rawExchange(gateway.port, [...head, ...rest].join('\r\n'), { withinMs: 1_000 + busyMs });
        expect(unread.status).toBe(503);
        await release();
        await held;
      },
    );

    it('F83 counts the memory of a request besides its body: small requests are bounded too', async () => {
      const { gateway, toolId, release } = await stalled({ APPEND_DEADLINE_MS: '1500', HELD_BYTES_MAX: '2097152' });
      const accounts = await Promise.all(Array.from({ length: 3 }, () => gateway.newAccount()));
      for (const account of accounts) await gateway.send('GET', '/v1/events', account); // memory has them from now on
      const requests = accounts.flatMap((account) =>
        Array.from({ length: 90 }, () => gateway.record({ tool_id: toolId }, account)),
      );
      const answered = Promise.all(requests);
      const mostHeld = await mostHeldUntil(gateway, answered);
      await release();
      expect(new Set((await answered).map(({ status }) => status))).toEqual(new Set([503]));
      expect(mostHeld).toBeGreaterThan(150);
      expect(mostHeld).toBeLessThanOrEqual(209); // 2 MiB, at 10,000 bytes and a body each
    });

    it('F03 answers a batch 200 while one valid item has an outcome, otherwise 503', async () => {
      const { gateway, record, recordAll } = await started({ settings: { APPEND_DEADLINE_MS: '1500' } });
      const known = { idempotency_key: 'known' };
      await record(known);
      cleanUps.push((await stallLog(gateway.owner)).release);
      const one = await recordAll([{ idempotency_key: 'new' }, known, { tool_id: 7 }]);
      expect(one.status).toBe(200);
      expect(one.body.results.map(({ status, error }) => [status, error?.status])).toEqual([
        ['unknown', 503],
        ['duplicate', undefined],
        ['rejected', 400],
      ]);
      unavailable(await recordAll([{}, { tool_id: 7 }]));
    });

    it('answers 503 when the append fails, and continues when the log is back', async () => {
      const { gateway, record } = await started();
      await gateway.owner.query('alter table event_log.partition rename to away');
      const failed = await record({ idempotency_key: 'k' });
      await gateway.owner.query('alter table event_log.away rename to partition');
      const retried = await record({ idempotency_key: 'k' });
      unavailable(failed);
      expect([retried.status, isReplay(retried)]).toEqual([201, false]);
    });
  });

  describe('F11 while PostgreSQL is away and the log is not', () => {
    async function behindProxy() {
      const { proxy, database, settings } = await openBehindProxy(cleanUps);
      return { proxy, ...(await started({ settings: { ...settings, REPLY_LOOKUP_TIMEOUT_MS: '200' }, database })) };
    }

    it.each(['cut', 'stall'] as const)(
      'records events of known accounts and tools (connections: %s)',
      async (weather) => {
        const { proxy, record } = await behindProxy();
        proxy[weather]();
        const plain = await record();
        const { answer: keyed, tookMs } = await timed(() => record({ idempotency_key: 'k' }));
        const again = await record({ idempotency_key: 'k' });
        proxy.heal();
        expect([plain.status, keyed.status, again.status]).toEqual([201, 201, 201]);
        expect(tookMs).toBeLessThan(3_000);
        expect([isReplay(again), again.body.event_id]).toEqual([true, keyed.body.event_id]);
      },
    );

    it('answers 503 for an unknown tool (not 404), an unknown key (not 401), and the counted events', async () => {
      const { proxy, gateway, token, toolId, record } = await behindProxy();
      const newTool = await gateway.newTool();
      const newAccount = await gateway.newAccount();
      proxy.cut();
      unavailable(await record({ tool_id: 'unknown-tool' }));
      unavailable(await gateway.record({ tool_id: toolId }, { token: createApiKey() }));
      unavailable(await gateway.send<BatchAnswer>('GET', '/v1/events', { token }));
      proxy.heal();
      const isBack = async () => (await gateway.record({ tool_id: newTool }, newAccount)).status === 201;
      await eventually(isBack, { withinMs: 3_000 });
    });

    it('answers an item with an unknown tool as unknown, and records the others', async () => {
      const { proxy, recordAll } = await behindProxy();
      proxy.cut();
      const { status, body } = await recordAll([{}, { tool_id: 'unknown-tool' }, { tool_id: 'No Slug' }]);
      proxy.heal();
      expect([status, body.results.map((result) => result.status)]).toEqual([200, ['recorded', 'unknown', 'rejected']]);
    });
  });
});

describe('what is away', () => {
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
  });

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
});
