import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { hashApiKey } from '@tollgate/runtime/auth/api-key-format';
import { systemClock } from '@tollgate/kernel/clock';
import { busyMs, eventually } from '@tollgate/testkit/eventually';
import { startFaultProxy, type FaultProxy } from '@tollgate/testkit/fault-proxy';
import { describeWithRedis } from '@tollgate/testkit/redis';
import { startRedis, type RedisServer } from '@tollgate/testkit/redis/start-redis';
import { Redis } from 'ioredis';
import { startGateway, type GatewayUnderTest, type TestAccount } from '../support/gateway-under-test.ts';
import { openTcpGate, type TcpGate } from '../support/tcp-gate.ts';
import { becomesShared, isShared, readRedisCheck, withRedisInTime } from '../support/redis-check.ts';

interface Answer {
  readonly event_id: string;
  readonly timestamp: string;
  readonly code: string;
}

describeWithRedis('two gateways and a Redis', () => {
  const here = { nowMs: 1_000_000 };
  const there = { nowMs: 900_000_000 }; // clocks of two machines have nothing in common
  let redis: RedisServer;
  let client: Redis;
  let proxy: FaultProxy;
  let one: GatewayUnderTest;
  let two: GatewayUnderTest;
  let account: TestAccount;
  let toolId: string;

  beforeAll(async () => {
    redis = await startRedis();
    client = new Redis(redis.url, { disconnectTimeout: 200 });
    client.on('error', () => undefined); // it is killed as well
    const { hostname: host, port } = new URL(redis.url);
    proxy = await startFaultProxy({ host, port: Number(port) });
    const settings = { REDIS_URL: proxy.through(redis.url) };
    one = await startGateway({ settings, monotonic: here });
    two = await startGateway({ settings, monotonic: there, beside: one });
    toolId = await one.newTool();
  });
  beforeEach(async () => {
    account = await one.newAccount();
    proxy.heal();
    await becomesShared(one, two);
  });
  afterAll(async () => {
    client.disconnect();
    await two.stop();
    await one.stop();
    await proxy.close();
    await redis.stop();
  });

  const post = (gateway: GatewayUnderTest, body: object = {}) =>
    gateway.send<Answer>('POST', '/v1/events', { token: account.token, body: { tool_id: toolId, ...body } });

  const burst = (gateway: GatewayUnderTest, count: number, bodyOf: (index: number) => object = () => ({})) =>
    Promise.all(Array.from({ length: count }, (_, index) => post(gateway, bodyOf(index))));

  const statusesOf = (answers: readonly { status: number }[]) =>
    Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]));

  /**
   * How many are admitted of an account of its own. Again where the machine was too slow to tell: after a second there
   * are 100 more, and clients, proxy and both gateways, all in this one process, can keep Redis's answer back for 50 ms.
   */
  async function admittedAtBoth(count: number): Promise<number> {
    for (;;) {
      const { answer, tookMs } = await withRedisInTime([one, two], async () => {
        account = await one.newAccount();
        return timed(() => Promise.all([burst(one, count), burst(two, count)]));
      });
      if (tookMs < 1_000) return answer.flat().filter(({ status }) => status === 201).length;
    }
  }

  describe('the limit', () => {
    it('F74 F10 holds over both gateways, whatever their clocks say', async () => {
      expect(await admittedAtBoth(80)).toBe(100);
    });

    it('F07 is each gateway’s own while Redis is down; ingest goes on, and says so', async () => {
      const before = await burst(one, 40);
      const under = burst(one, 30);
      await redis.kill();
      const during = before.concat(await under, await burst(one, 130), await burst(two, 130));
      const statuses = statusesOf(during);
      expect(Object.keys(statuses)).toEqual(['201', '429']); // no failure, also of those under way when it died
      const byOne = statusesOf(await burst(one, 20));
      expect(byOne).toEqual({ 429: 20 });
      expect(statuses['201']).toBe(200); // 100 each: what one admitted before Redis died is among its own
      expect(await readRedisCheck(one)).toEqual({
        status: 200,
        redis: 'degraded: away, limits and replies are of this gateway alone',
      });
      expect(await one.metrics()).toMatch(/^tollgate_gateway_redis_up\{.*\} 0$/m);

      await redis.start();
      await becomesShared(one);
      await becomesShared(two);
      expect(await one.metrics()).toMatch(/^tollgate_gateway_redis_up\{.*\} 1$/m);
      expect(await admittedAtBoth(80)).toBe(100);
    });

    it('F08 is decided here after 50 ms when Redis is slow, and then at once', async () => {
      proxy.delay(3_000); // each way
      const first = await timed(() => post(one));
      const later = await timed(() => burst(one, 10));
      expect([first.answer.status, statusesOf(later.answer)]).toEqual([201, { 201: 10 }]);
      expect(first.tookMs).toBeLessThan(50 + busyMs);
      expect(later.tookMs).toBeLessThan(50 + busyMs);
      expect(await isShared(one)).toBe(false);
      expect(await one.metrics()).toMatch(/^tollgate_gateway_redis_seconds_count\{.*outcome="late".*\} [1-9]/m);
    });

    it('F08 is decided here when Redis is frozen, and both are back when it is', async () => {
      await redis.freeze();
      const { tookMs, answer } = await timed(() => burst(two, 10));
      expect(statusesOf(answer)).toEqual({ 201: 10 });
      expect(tookMs).toBeLessThan(50 + busyMs);
      await redis.thaw();
      await becomesShared(two);
    });

    it('comes back after connections that were cut or that only seem to be open', async () => {
      await post(one);
      proxy.halfOpen();
      expect((await post(one)).status).toBe(201);
      await becomesShared(one);
      proxy.cut();
      expect((await post(one)).status).toBe(201);
      proxy.heal();
      await becomesShared(one);
    });

    it('F09 starts anew when Redis is emptied under load, and counts are unmoved', async () => {
      const bodyOf = (index: number) => ({ idempotency_key: `flush-${index}` });
      const before = await burst(one, 60, bodyOf);
      const [after] = await Promise.all([burst(two, 60, bodyOf), client.flushall()]);
      const answers = before.concat(after);
      expect(statusesOf(answers)).toEqual({ 201: 120 }); // of one bucket that was not emptied: 100
      const ids = new Set(answers.map(({ body }) => body.event_id));
      expect(ids.size).toBe(60);
      const logged = (await one.appended()).filter((record) => record.consumer_id === account.accountId);
      expect(new Set(logged.map((record) => record.event_id))).toEqual(ids);
    });

    it('F10 is at most 200 in the second of a fail-over to a server that knows nothing', async () => {
      await burst(one, 130);
      await redis.kill();
      const between = await burst(one, 10); // it admitted 100 itself just now
      await redis.start();
      await becomesShared(one);
      const { answer: after, tookMs } = await timed(() => burst(one, 130));
      expect(statusesOf(between)).toEqual({ 429: 10 });
      expect(statusesOf(after)[201] ?? 0).toBeLessThanOrEqual(100 * (1 + Math.floor(tookMs / 1_000)));
    });
  });

  describe('a repeat', () => {
    const isReplay = (answer: { headers: Headers }) => answer.headers.get('idempotent-replayed') === 'true';

    it('F05 is answered as one at the other gateway, before anything is counted', async () => {
      const body = { idempotency_key: randomUUID(), duration_ms: 7 };
      const first = await post(one, body);
      two.clock.advance(1_000);
      const again = await eventually(
        async () => {
          const answer = await post(two, body);
          return isReplay(answer) ? answer : undefined;
        },
        { withinMs: 5_000 },
      );
      expect(again?.body).toEqual(first.body);
    });

    it.each([
      ['25 hours', 25],
      ['35 days', 35 * 24],
    ])('F05 after %s, forgotten by Redis, has the same id at the other gateway', async (_name, hours) => {
      const body = { idempotency_key: randomUUID() };
      const first = await post(one, body);
      await client.flushall(); // as its expiry would, which goes by real time
      two.clock.advance(hours * 3_600_000);
      const again = await post(two, body);
      expect([again.status, again.body.event_id]).toEqual([201, first.body.event_id]);
    });

    it('F06 with another body is 409 at the other gateway, and not appended', async () => {
      const [first, other] = await withRedisInTime([one, two], async () => {
        const idempotency_key = randomUUID();
        const first = await post(one, { idempotency_key, duration_ms: 1 });
        return [first, await post(two, { idempotency_key, duration_ms: 2 })] as const;
      });
      expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
      const logged = (await one.appended()).filter((record) => record.event_id === first.body.event_id);
      expect(logged.map((record) => record.duration_ms)).toEqual([1]);
    });

    it('F06 with another body at both at once: one id, each in the log or 409, and the first to be counted counts', async () => {
      const idempotency_key = randomUUID();
      const answers = await Promise.all([
        post(one, { idempotency_key, duration_ms: 1 }),
        post(two, { idempotency_key, duration_ms: 2 }),
      ]);
      const taken = answers.filter(({ status }) => status === 201);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(2 - taken.length);
      const ids = new Set(taken.map(({ body }) => body.event_id));
      expect(ids.size).toBe(1);
      const logged = (await one.appended()).filter((record) => ids.has(record.event_id));
      expect(logged).toHaveLength(taken.length);
    });

    it('F07 is answered from the key table or as the same event while Redis is down', async () => {
      const body = { idempotency_key: randomUUID() };
      const first = await post(one, body);
      await redis.kill();
      const [here, there] = [await post(one, body), await post(two, body)];
      expect([here.status, isReplay(here), here.body]).toEqual([201, true, first.body]);
      expect([there.status, there.body.event_id]).toEqual([201, first.body.event_id]);
      await redis.start();
    });
  });

  it('F69 a revoked key is refused within a second with Redis down: that news comes from PostgreSQL', async () => {
    await post(one);
    await redis.kill();
    expect((await post(one)).status).toBe(201);
    const revokedMs = systemClock.monotonicMs();
    await one.owner.query('update auth.api_key set revoked_at = now() where account_id = $1', [account.accountId]);
    await eventually(async () => (await post(one)).status === 401, { withinMs: 5_000 });
    expect(systemClock.monotonicMs() - revokedMs).toBeLessThan(1_000 + busyMs);
    await redis.start();
  });

  describe('and a third without PostgreSQL', () => {
    let gate: TcpGate;
    let three: GatewayUnderTest;

    beforeAll(async () => {
      gate = await openTcpGate(one.database.ownerUrl);
      const { urlFor } = one.database;
      const settings = {
        REDIS_URL: proxy.through(redis.url),
        DATABASE_API_URL: gate.through(urlFor('ingest_gateway_api')),
        DATABASE_WORKER_URL: gate.through(urlFor('ingest_gateway_worker')),
      };
      three = await startGateway({ settings, beside: one });
    });
    beforeEach(async () => {
      await becomesShared(three);
      await eventually(async () => (await post(three)).status === 201, { withinMs: 5_000 });
      gate.cut();
    });
    afterEach(() => gate.open());
    afterAll(async () => {
      await three?.stop();
      await gate?.close();
    });

    it('F69 no longer lets a revoked key in within a second of the news, though it cannot ask', async () => {
      expect((await post(three)).status).toBe(201);
      const revokedMs = systemClock.monotonicMs();
      await one.owner.query('update auth.api_key set revoked_at = now() where account_id = $1', [account.accountId]);
      await eventually(async () => (await post(three)).status === 503, { withinMs: 5_000 });
      expect(systemClock.monotonicMs() - revokedMs).toBeLessThan(1_000 + busyMs);
      gate.open();
      await eventually(async () => (await post(three)).status === 401, { withinMs: 5_000 });
    });

    it('F69 hears it again once Redis has been away', async () => {
      await redis.kill();
      await redis.start();
      const keyHash = hashApiKey(account.token).toString('base64');
      const isRefused = async () => {
        await client.publish('tollgate:revoked-keys', keyHash).catch(() => 0);
        return (await post(three)).status === 503;
      };
      await eventually(isRefused, { withinMs: 10_000 });
    });

    it('F69 takes nobody’s word for it: a key that is still good is good as soon as it can ask', async () => {
      await client.publish('tollgate:revoked-keys', hashApiKey(account.token).toString('base64'));
      await eventually(async () => (await post(three)).status === 503, { withinMs: 1_000 });
      expect((await post(one)).status).toBe(201);
      gate.open();
      await eventually(async () => (await post(three)).status === 201, { withinMs: 5_000 });
    });
  });
});

async function timed<Answer>(run: () => Promise<Answer>): Promise<{ answer: Answer; tookMs: number }> {
  const startedMs = systemClock.monotonicMs();
  const answer = await run();
  return { answer, tookMs: systemClock.monotonicMs() - startedMs };
}
