import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { EventBatchResult } from '@tollgate/contracts/event-answers';
import { createApiKey } from '@tollgate/runtime/auth/api-key-format';
import { busyMs, eventually } from '@tollgate/testkit/eventually';
import { rawExchange } from '@tollgate/testkit/raw-http';
import { testDatabase } from '@tollgate/testkit/postgres';
import { startGateway, type GatewayUnderTest } from '../support/gateway-under-test.ts';
import { stallLog, type Stall } from '../support/stall-log.ts';
import { openTcpGate } from '../support/tcp-gate.ts';

type Answer = { event_id: string; code: string; timestamp: string } & EventBatchResult;

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

type Start = NonNullable<Parameters<typeof startGateway>[0]>;

async function started(start: Start = {}): Promise<GatewayUnderTest & { token: string; toolId: string }> {
  const gateway = await startGateway(start);
  cleanUps.push(gateway.stop);
  const toolId = await gateway.newTool();
  const { token } = await gateway.newAccount();
  await gateway.send('POST', '/v1/events', { token, body: { tool_id: toolId } }); // key and tool are known from here on
  return { ...gateway, token, toolId };
}

async function stalled(gateway: GatewayUnderTest): Promise<Stall> {
  const stall = await stallLog(gateway.owner);
  cleanUps.push(stall.release);
  return stall;
}

/** A batch of so many, all of them on their way into the log. */
async function hold(gateway: Awaited<ReturnType<typeof started>>, count: number) {
  const { token, toolId } = gateway;
  const body = { events: Array.from({ length: count }, () => ({ tool_id: toolId })) };
  const answered = gateway.send<Answer>('POST', '/v1/events/batch', { token, body });
  const heldEvents = `tollgate_gateway_held_events{service="ingest-gateway"} ${count}`;
  await eventually(async () => (await gateway.metrics()).includes(heldEvents), { withinMs: 1_000, everyMs: 5 });
  return { answered };
}

/** The most events that it held at a time, until then. */
async function mostHeldUntil(gateway: GatewayUnderTest, end: Promise<unknown>): Promise<number> {
  let isOver = false;
  const ended = end.finally(() => (isOver = true));
  let most = 0;
  for (; !isOver; await sleep(5)) {
    const [, held] = /^tollgate_gateway_held_events\{.*\} (\d+)$/m.exec(await gateway.metrics()) ?? [];
    most = Math.max(most, Number(held));
  }
  await ended;
  return most;
}

async function timed<T>(work: Promise<T>): Promise<{ answer: T; tookMs: number }> {
  const startedAt = process.uptime();
  const answer = await work;
  return { answer, tookMs: (process.uptime() - startedAt) * 1_000 };
}

describe('while the log does not answer', () => {
  it('F16 answers 503 with Retry-After at the deadline, and the retry finds what became of the first', async () => {
    const gateway = await started({ settings: { APPEND_DEADLINE_MS: '1000' } });
    const { token, toolId } = gateway;
    const stall = await stalled(gateway);
    const body = { tool_id: toolId, idempotency_key: 'late' };
    const { answer, tookMs } = await timed(gateway.send<Answer>('POST', '/v1/events', { token, body }));
    expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
    expect(tookMs).toBeGreaterThanOrEqual(990);
    expect(tookMs).toBeLessThan(1_000 + busyMs);
    const retry = gateway.send<Answer>('POST', '/v1/events', { token, body }); // waits for the first, which is still on its way
    setTimeout(() => void stall.release(), 100);
    expect([(await retry).status, (await retry).headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    const records = (await gateway.appended()).filter((record) => record.idempotency_key === 'late');
    expect(records.map((record) => record.event_id)).toEqual([(await retry).body.event_id]);
  });

  it('never sends what nobody waits for any more', async () => {
    const gateway = await started({ settings: { APPEND_DEADLINE_MS: '1000' } });
    const { token, toolId } = gateway;
    const stall = await stalled(gateway);
    const first = gateway.send<Answer>('POST', '/v1/events', {
      token,
      body: { tool_id: toolId, idempotency_key: 'in-flight' },
    });
    await eventually(
      async () => (await gateway.metrics()).includes('tollgate_gateway_held_events{service="ingest-gateway"} 1'),
      { withinMs: 1_000, everyMs: 5 },
    );
    const queued = await gateway.send<Answer>('POST', '/v1/events', {
      token,
      body: { tool_id: toolId, idempotency_key: 'queued' },
    });
    expect([(await first).status, queued.status]).toEqual([503, 503]);
    await stall.release();
    await eventually(
      async () => (await gateway.metrics()).includes('tollgate_gateway_held_events{service="ingest-gateway"} 0'),
      { withinMs: 2_000 },
    );
    const keys = (await gateway.appended()).map((record) => record.idempotency_key);
    expect(keys).toContain('in-flight');
    expect(keys).not.toContain('queued');
  });

  it('F83 takes no more than it may hold: one too many is 503 at once, and it resumes', async () => {
    const gateway = await started({ settings: { APPEND_DEADLINE_MS: '5000', HELD_EVENTS_MAX: '1000' } });
    const { token, toolId } = gateway;
    const stall = await stalled(gateway);
    const held = await hold(gateway, 999);
    const two = { events: [{ tool_id: toolId }, { tool_id: toolId }] };
    const { answer, tookMs } = await timed(gateway.send<Answer>('POST', '/v1/events/batch', { token, body: two }));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(tookMs).toBeLessThan(1_000 + busyMs);
    await stall.release();
    const { status, body } = await held.answered;
    expect([status, body.recorded]).toEqual([200, 999]);
    expect((await gateway.send('POST', '/v1/events/batch', { token, body: two })).status).toBe(200);
  });

  it.each(['/v1/events', '/v1/events/batch'])(
    'F83 refuses before it reads, for a flood of refusals must cost little: %s',
    async (path) => {
      const gateway = await started({ settings: { APPEND_DEADLINE_MS: '5000', HELD_EVENTS_MAX: '1000' } });
      const stall = await stalled(gateway);
      const held = await hold(gateway, 1_000);
      const headers = [
        `Authorization: Bearer ${gateway.token}`,
        'Content-Type: application/json',
        'Content-Length: 100',
        'Connection: close',
      ];
      const unread = await rawExchange(
        gateway.port,
        [`POST ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n'),
        { withinMs: 1_000 + busyMs },
      );
      expect(unread.status).toBe(503);
      await stall.release();
      await held.answered;
    },
  );

  it('F83 counts what it keeps of a request besides the body: of small ones it holds as many as memory allows', async () => {
    const gateway = await started({ settings: { APPEND_DEADLINE_MS: '1500', HELD_BYTES_MAX: '2097152' } });
    const tokens = await Promise.all(Array.from({ length: 3 }, async () => (await gateway.newAccount()).token));
    for (const token of tokens) await gateway.send('POST', '/v1/events', { token, body: { tool_id: gateway.toolId } });
    const stall = await stalled(gateway);
    const asked = tokens.flatMap((token) =>
      Array.from({ length: 90 }, () =>
        gateway.send<Answer>('POST', '/v1/events', { token, body: { tool_id: gateway.toolId } }),
      ),
    );
    const answered = Promise.all(asked);
    const mostHeld = await mostHeldUntil(gateway, answered);
    const answers = await answered;
    await stall.release();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(mostHeld).toBeGreaterThan(150);
    expect(mostHeld).toBeLessThanOrEqual(209); // 2 MiB of 10,000 bytes each, and a body
  });

  it('F03 answers a batch 200 while one valid item has an outcome, else 503', async () => {
    const gateway = await started({ settings: { APPEND_DEADLINE_MS: '1500' } });
    const { token, toolId } = gateway;
    const known = { tool_id: toolId, idempotency_key: 'known' };
    await gateway.send('POST', '/v1/events', { token, body: known });
    await stalled(gateway);
    const mixed = { events: [{ tool_id: toolId, idempotency_key: 'new' }, known, { tool_id: 7 }] };
    const one = await gateway.send<Answer>('POST', '/v1/events/batch', { token, body: mixed });
    expect(one.status).toBe(200);
    expect(one.body.results.map(({ status, error }) => [status, error?.status])).toEqual([
      ['unknown', 503],
      ['duplicate', undefined],
      ['rejected', 400],
    ]);
    const none = { events: [{ tool_id: toolId }, { tool_id: 7 }] };
    const two = await gateway.send<Answer>('POST', '/v1/events/batch', { token, body: none });
    expect([two.status, two.body.code, two.headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
  });

  it('answers 503 when the append fails, and goes on when the log is back', async () => {
    const gateway = await started();
    const { token, toolId } = gateway;
    await gateway.owner.query('alter table event_log.partition rename to away');
    const failed = await gateway.send<Answer>('POST', '/v1/events', {
      token,
      body: { tool_id: toolId, idempotency_key: 'k' },
    });
    await gateway.owner.query('alter table event_log.away rename to partition');
    expect([failed.status, failed.body.code]).toEqual([503, 'unavailable']);
    const retried = await gateway.send<Answer>('POST', '/v1/events', {
      token,
      body: { tool_id: toolId, idempotency_key: 'k' },
    });
    expect([retried.status, retried.headers.get('idempotent-replayed')]).toEqual([201, null]);
  });
});

describe('F11 while PostgreSQL is away and the log is not', () => {
  /** The gateway reaches PostgreSQL through a gate, the log goes straight to it. */
  async function behindGate() {
    const database = await testDatabase();
    const gate = await openTcpGate(database.ownerUrl);
    cleanUps.push(gate.close);
    const settings = {
      DATABASE_API_URL: gate.through(database.urlFor('ingest_gateway_api')),
      DATABASE_WORKER_URL: gate.through(database.urlFor('ingest_gateway_worker')),
      REPLY_LOOKUP_TIMEOUT_MS: '200',
    };
    return { gate, gateway: await started({ settings, database }) };
  }

  it.each(['cut', 'stall'] as const)('takes events of those it knows, with and without a key (%s)', async (weather) => {
    const { gate, gateway } = await behindGate();
    const { token, toolId } = gateway;
    gate[weather]();
    const plain = await gateway.send<Answer>('POST', '/v1/events', { token, body: { tool_id: toolId } });
    const { answer: keyed, tookMs } = await timed(
      gateway.send<Answer>('POST', '/v1/events', { token, body: { tool_id: toolId, idempotency_key: 'k' } }),
    );
    const again = await gateway.send<Answer>('POST', '/v1/events', {
      token,
      body: { tool_id: toolId, idempotency_key: 'k' },
    });
    gate.open();
    expect([plain.status, keyed.status, again.status]).toEqual([201, 201, 201]);
    expect(tookMs).toBeLessThan(3_000);
    expect([again.headers.get('idempotent-replayed'), again.body.event_id]).toEqual(['true', keyed.body.event_id]);
  });

  it('answers 503 to what it cannot know: a tool (not 404), a key (not 401), what was counted', async () => {
    const { gate, gateway } = await behindGate();
    const { token, toolId } = gateway;
    const newTool = await gateway.newTool();
    const { token: newToken } = await gateway.newAccount();
    gate.cut();
    const answers = [
      await gateway.send<Answer>('POST', '/v1/events', { token, body: { tool_id: 'unknown-tool' } }),
      await gateway.send<Answer>('POST', '/v1/events', { token: createApiKey(), body: { tool_id: toolId } }),
      await gateway.send<Answer>('GET', '/v1/events', { token }),
    ];
    for (const { status, body, headers } of answers) {
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
    }
    gate.open();
    await eventually(
      async () =>
        (await gateway.send('POST', '/v1/events', { token: newToken, body: { tool_id: newTool } })).status === 201,
      { withinMs: 3_000 },
    );
  });

  it('rejects the items whose tool it cannot know as unknown, and records the others', async () => {
    const { gate, gateway } = await behindGate();
    gate.cut();
    const events = [{ tool_id: gateway.toolId }, { tool_id: 'unknown-tool' }, { tool_id: 'No Slug' }];
    const { status, body } = await gateway.send<Answer>('POST', '/v1/events/batch', {
      token: gateway.token,
      body: { events },
    });
    gate.open();
    expect([status, body.results.map((result) => result.status)]).toEqual([200, ['recorded', 'unknown', 'rejected']]);
  });
});
