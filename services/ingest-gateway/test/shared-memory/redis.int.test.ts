import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { hashApiKey } from '@tollgate/runtime/auth/api-key-format';
import { bestRunBelow, msOf } from '@tollgate/testkit/best-run';
import { busyMs, eventually } from '@tollgate/testkit/eventually';
import { type FaultProxy, startFaultProxy } from '@tollgate/testkit/fault-proxy';
import { describeWithRedis } from '@tollgate/testkit/redis';
import { type GatewayUnderTest, isReplay, startGateway } from '../support/gateway-under-test.ts';
import { becomesShared, isShared, readRedisCheck, withRedisInTime } from '../support/redis-check.ts';
import { timed } from '../support/timed.ts';
import { useTwoGateways } from '../support/use-two-gateways.ts';
import { setTimeout as pass } from 'node:timers/promises';
import { systemClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { type RedisServer, startRedis } from '@tollgate/testkit/redis/start-redis';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { type Admission, SlidingWindow, type WindowRules } from '@tollgate/runtime/limits/sliding-window';
import { rateLimiterContract } from '@tollgate/testkit/contracts/rate-limiter.contract';
import { repliesContract } from '../support/reply-cache.contract.ts';
import { createMemoryRateLimiter } from '@tollgate/runtime/limits/memory-rate-limiter';
import { createJudge } from '../../src/shared-memory/judge.ts';
import { judgeScript } from '../../src/shared-memory/judge-script.ts';
import { createRedisLink } from '../../src/shared-memory/redis-link.ts';
import { createRedisRateLimiter } from '../../src/shared-memory/redis-rate-limiter.ts';
import { createRedisReplyCache } from '../../src/shared-memory/redis-reply-cache.ts';

/** A timer may fire a few ms late, and the answer needs one more turn (timing/within.ts). */
const timerMs = 10;

const clock = systemClock;
const anyRules = { limit: 100, windowMs: 1_000 };

describeWithRedis('two gateways and a Redis', () => {
  const { running, post } = useTwoGateways({
    throughProxy: 'both',
    monotonic: [{ nowMs: 1_000_000 }, { nowMs: 900_000_000 }], // the clocks of two machines have nothing in common
  });

  const burst = (gateway: GatewayUnderTest, count: number, bodyOf: (index: number) => object = () => ({})) =>
    Promise.all(Array.from({ length: count }, (_, index) => post(gateway, bodyOf(index))));

  const statusesOf = (answers: readonly { status: number }[]) =>
    Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]));

  const revokeKeys = () =>
    running.one.owner.query('update auth.api_key set revoked_at = now() where account_id = $1', [
      running.account.accountId,
    ]);

  /**
   * Counts the admissions of a new account at both gateways. It repeats itself where the machine was too slow: after a
   * second there are 100 more, and this one process, with clients, proxy and both gateways, can delay Redis by 50 ms.
   */
  async function admittedAtBoth(count: number): Promise<number> {
    const { one, two } = running;
    for (;;) {
      const { answer, tookMs } = await withRedisInTime([one, two], async () => {
        running.account = await one.newAccount();
        return timed(() => Promise.all([burst(one, count), burst(two, count)]));
      });
      if (tookMs < 1_000) return answer.flat().filter(({ status }) => status === 201).length;
    }
  }

  describe('the limit', () => {
    it('F74 F10 holds over both gateways, whatever their clocks show', async () => {
      expect(await admittedAtBoth(80)).toBe(100);
    });

    it('F07 belongs to each gateway alone while Redis is down; ingest continues, and readiness shows it', async () => {
      const { one, two, redis } = running;
      const before = await burst(one, 40);
      const under = burst(one, 30);
      await redis.kill();
      const during = before.concat(await under, await burst(one, 130), await burst(two, 130));
      const statuses = statusesOf(during);
      expect(Object.keys(statuses)).toEqual(['201', '429']); // no request fails, not even those under way at the kill
      const byOne = statusesOf(await burst(one, 20));
      expect(byOne).toEqual({ 429: 20 });
      expect(statuses['201']).toBe(200); // 100 each: admissions from before the kill count at their gateway
      expect(await readRedisCheck(one)).toEqual({
        status: 200,
        redis: 'degraded: away, limits and replies are of this gateway alone',
      });
      expect(await one.metrics()).toMatch(/^tollgate_gateway_redis_up\{.*\} 0$/m);

      await redis.start();
      await becomesShared(one, two);
      expect(await one.metrics()).toMatch(/^tollgate_gateway_redis_up\{.*\} 1$/m);
      expect(await admittedAtBoth(80)).toBe(100);
    });

    it('F08 is decided by the gateway after 50 ms when Redis is slow, and then at once', async () => {
      const { one, proxy } = running;
      const later: number[] = [];
      const firstWhileSlow = async () => {
        proxy.heal();
        await becomesShared(one);
        const directMs = await msOf(() => post(one));
        proxy.delay(3_000); // in each direction
        const first = await timed(() => post(one));
        const next = await timed(() => post(one));
        expect([first.answer.status, next.answer.status]).toEqual([201, 201]);
        expect(await isShared(one)).toBe(false);
        later.push(next.tookMs);
        return first.tookMs - directMs;
      };
      await bestRunBelow(50 + timerMs, firstWhileSlow);
      expect(Math.min(...later)).toBeLessThan(50);
      expect(await one.metrics()).toMatch(/^tollgate_gateway_redis_seconds_count\{.*outcome="late".*\} [1-9]/m);
    });

    it('is shared again after connections that were cut or that only seem to be open', async () => {
      const { one, proxy } = running;
      await post(one);
      proxy.halfOpen();
      expect((await post(one)).status).toBe(201);
      await becomesShared(one);
      proxy.cut();
      expect((await post(one)).status).toBe(201);
      proxy.heal();
      await becomesShared(one);
    });

    it('F09 starts anew when Redis is emptied under load, and each key is one event all the same', async () => {
      const { one, two, account, client } = running;
      const bodyOf = (index: number) => ({ idempotency_key: `flush-${index}` });
      const before = await burst(one, 60, bodyOf);
      const [after] = await Promise.all([burst(two, 60, bodyOf), client.flushall()]);
      const answers = before.concat(after);
      expect(statusesOf(answers)).toEqual({ 201: 120 }); // a bucket that was not emptied would admit 100
      const ids = new Set(answers.map(({ body }) => body.event_id));
      expect(ids.size).toBe(60);
      const logged = (await one.appended()).filter((record) => record.consumer_id === account.accountId);
      expect(new Set(logged.map((record) => record.event_id))).toEqual(ids);
    });

    it('F10 is at most 200 in the second of a fail-over to a server without data', async () => {
      const { one, redis } = running;
      await burst(one, 130);
      await redis.kill();
      const between = await burst(one, 10); // the gateway has admitted 100 itself
      await redis.start();
      await becomesShared(one);
      const { answer: after, tookMs } = await timed(() => burst(one, 130));
      expect(statusesOf(between)).toEqual({ 429: 10 });
      expect(statusesOf(after)[201] ?? 0).toBeLessThanOrEqual(100 * (1 + Math.floor(tookMs / 1_000)));
    });
  });

  describe('a repeat', () => {
    it('F06 with another body, at both gateways at once: one id, and each body is in the log or 409', async () => {
      const { one, two } = running;
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

    it('F07 is answered by memory, or as the same event, while Redis is down', async () => {
      const { one, two, redis } = running;
      const body = { idempotency_key: randomUUID() };
      const first = await post(one, body);
      await redis.kill();
      const [here, there] = [await post(one, body), await post(two, body)];
      expect([here.status, isReplay(here), here.body]).toEqual([201, true, first.body]);
      expect([there.status, there.body.event_id]).toEqual([201, first.body.event_id]);
      await redis.start();
    });
  });

  it('F69 refuses a revoked key within a second with Redis down: PostgreSQL brings the news', async () => {
    const { one, redis } = running;
    await redis.kill();
    await bestRunBelow(1_000, async () => {
      running.account = await one.newAccount();
      expect((await post(one)).status).toBe(201);
      return msOf(async () => {
        await revokeKeys();
        await eventually(async () => (await post(one)).status === 401, { withinMs: 5_000 });
      });
    });
    await redis.start();
  });

  describe('and a third without PostgreSQL', () => {
    let toPostgres: FaultProxy;
    let three: GatewayUnderTest;

    beforeAll(async () => {
      const { one, proxy, redis } = running;
      toPostgres = await startFaultProxy({ port: Number(new URL(one.database.ownerUrl).port) });
      const { urlFor } = one.database;
      const settings = {
        REDIS_URL: proxy.through(redis.url),
        DATABASE_API_URL: toPostgres.through(urlFor('ingest_gateway_api')),
        DATABASE_WORKER_URL: toPostgres.through(urlFor('ingest_gateway_worker')),
      };
      three = await startGateway({ settings, beside: one });
    });
    beforeEach(async () => {
      await becomesShared(three);
      await eventually(async () => (await post(three)).status === 201, { withinMs: 5_000 });
      toPostgres.cut();
    });
    afterEach(() => toPostgres.heal());
    afterAll(async () => {
      await three?.stop();
      await toPostgres?.close();
    });

    it('F69 no longer lets a revoked key in within a second of the news, though it cannot ask PostgreSQL', async () => {
      await bestRunBelow(1_000, async () => {
        toPostgres.heal();
        running.account = await running.one.newAccount();
        await eventually(async () => (await post(three)).status === 201, { withinMs: 5_000 });
        toPostgres.cut();
        return msOf(async () => {
          await revokeKeys();
          await eventually(async () => (await post(three)).status === 503, { withinMs: 5_000 });
        });
      });
      toPostgres.heal();
      await eventually(async () => (await post(three)).status === 401, { withinMs: 5_000 });
    });

    it('F69 hears the news again after Redis has been away', async () => {
      const { redis, client, account } = running;
      await redis.kill();
      await redis.start();
      const keyHash = hashApiKey(account.token).toString('base64');
      const isRefused = async () => {
        await client.publish('tollgate:revoked-keys', keyHash).catch(() => 0);
        return (await post(three)).status === 503;
      };
      await eventually(isRefused, { withinMs: 10_000 });
    });

    it('F69 does not trust the news alone: a valid key works as soon as the gateway can ask PostgreSQL', async () => {
      const { one, client, account } = running;
      await client.publish('tollgate:revoked-keys', hashApiKey(account.token).toString('base64'));
      await eventually(async () => (await post(three)).status === 503, { withinMs: 1_000 });
      expect((await post(one)).status).toBe(201);
      toPostgres.heal();
      await eventually(async () => (await post(three)).status === 201, { withinMs: 5_000 });
    });
  });
});

describeWithRedis('Redis', () => {
  let redis: RedisServer;
  let client: Redis;
  beforeAll(async () => {
    redis = await startRedis();
    client = new Redis(redis.url);
  });
  afterAll(async () => {
    client.disconnect();
    await redis.stop();
  });

  async function connect(rules: WindowRules = anyRules, url = redis.url) {
    const lines: string[] = [];
    const log = createLogger({ name: 'test', level: 'trace', destination: { write: (line) => void lines.push(line) } });
    const metrics = createMetrics({ service: 'test' });
    const link = createRedisLink({ url, clock, log, metrics, patienceMs: busyMs });
    await link.start();
    return { link, judge: createJudge({ link, rules }), logged: () => lines.join('') };
  }

  /** Asks for one admission. Undefined: Redis is away. */
  function admission(judge: ReturnType<typeof createJudge>, bucket: string = randomUUID()) {
    return new Promise<boolean | undefined>((resolve) => {
      const onAnswer = ({ isAdmitted }: Admission) => resolve(isAdmitted);
      const onAway = () => resolve(undefined);
      judge.add({ kind: 'admission', bucket, askedAtMs: clock.monotonicMs(), onAnswer, onAway });
    });
  }

  rateLimiterContract('Redis', async (rules) => {
    const { link, judge } = await connect(rules);
    const local = createMemoryRateLimiter({ limit: 0, windowMs: 1 }, clock); // refuses every request
    const limiter = createRedisRateLimiter({ link, judge, local, clock });
    return { limiter, pass: (ms) => pass(ms + 1), close: () => link.stop() };
  });

  repliesContract('Redis', async () => {
    const { link, judge } = await connect();
    const cache = createRedisReplyCache({ link, judge, clock });
    return {
      put: (eventId, first) => new Promise((resolve) => cache.save(eventId, first, resolve)),
      get: (eventId) =>
        new Promise((resolve, reject) => {
          const onAway = () => reject(new Error('away'));
          cache.find({ eventId, onAnswer: resolve, onAway });
        }),
      close: () => link.stop(),
    };
  });

  describe('the script', () => {
    /** The script with the test's time, in microseconds. The window is long, since Redis's own expiry follows real time. */
    const script = judgeScript.replace("redis.call('TIME')", '{ 0, tonumber(ARGV[4]) }');

    const windowMicros = 60_000_000;

    async function play(limit: number, times: readonly number[]): Promise<[number, number, number][]> {
      const pipeline = client.pipeline();
      const bucket = randomUUID();
      for (const time of times) pipeline.eval(script, 1, bucket, 1, limit, windowMicros, time);
      const answers = (await pipeline.exec()) ?? [];
      return answers.map(([error, answer]) => {
        if (error) throw error;
        return answer as [number, number, number]; // three figures for its one bucket
      });
    }

    const gaps = fc.array(
      fc.oneof(
        { weight: 8, arbitrary: fc.integer({ min: 0, max: windowMicros / 3 }) },
        { weight: 1, arbitrary: fc.integer({ min: 0, max: windowMicros * 1.2 }) },
      ),
      { minLength: 1, maxLength: 60, size: 'max' },
    );
    const limits = fc.integer({ min: 1, max: 8 });
    const after = (waits: readonly number[], start: number): number[] => {
      let time = start;
      return waits.map((wait) => (time += wait));
    };

    it('reads the time where the test replaces it', () => expect(script).not.toBe(judgeScript));

    it('admits exactly what the sliding window in memory admits', async () => {
      const start = 1_763_728_440_123_456; // microseconds of today: each must come back unrounded
      await fc.assert(
        fc.asyncProperty(limits, gaps, async (limit, waits) => {
          const times = after(waits, start);
          const window = new SlidingWindow({ limit, windowMs: windowMicros });
          const expected = times.map((time) => {
            const { isAdmitted, remaining, waitMs } = window.admit(time - start);
            return [isAdmitted ? 1 : 0, remaining, waitMs];
          });
          expect(await play(limit, times)).toEqual(expected);
        }),
        { endOnFailure: true },
      );
    });

    it('F10 starts a bucket anew when the clock of the server is behind that of the one before', async () => {
      const newest = 100_000_000;
      const before = Array.from({ length: 4 }, () => newest);
      const behind = Array.from({ length: 4 }, () => newest - 1_000_000);
      const admitted = (await play(3, [...before, ...behind])).map(([isAdmitted]) => isAdmitted);
      expect(admitted).toEqual([1, 1, 1, 0, 1, 1, 1, 0]);
    });

    it('leaves no bucket of a caller that has stopped', async () => {
      const { link, judge } = await connect({ limit: 2, windowMs: 100 });
      const bucket = randomUUID();
      expect(await admission(judge, bucket)).toBe(true);
      await eventually(async () => (await client.exists(`tollgate:limit:${bucket}`)) === 0, { withinMs: 2_000 });
      await link.stop();
    });
  });

  describe('the link', () => {
    it('starts without Redis, and connects when Redis is there', async () => {
      await redis.kill();
      const { link } = await connect();
      expect([link.isUp(), link.readiness?.()]).toEqual([
        false,
        { redis: 'degraded: away, limits and replies are of this gateway alone' },
      ]);
      await redis.start();
      await eventually(() => link.isUp(), { withinMs: 5_000 });
      expect(link.readiness?.()).toEqual({ redis: 'ok' });
      await link.stop();
    });

    it('sends its text to a server that does not have the script', async () => {
      const { link, judge } = await connect();
      expect(await admission(judge)).toBe(true);
      await client.script('FLUSH');
      expect(await admission(judge)).toBe(true);
      await link.stop();
    });

    it('stays away while the server refuses to write', async () => {
      const { link, judge } = await connect();
      await client.config('SET', 'maxmemory', '1');
      try {
        expect(await admission(judge)).toBeUndefined();
        await pass(600); // two tries
        expect(link.isUp()).toBe(false);
      } finally {
        await client.config('SET', 'maxmemory', '0');
      }
      await eventually(() => link.isUp(), { withinMs: 5_000 });
      await link.stop();
    });

    it('F76 logs no word of a password that is refused', async () => {
      await client.config('SET', 'requirepass', 'another');
      try {
        const { link, logged } = await connect(anyRules, redis.url.replace('//', '//:canary-password@'));
        await pass(600); // two tries
        expect(logged().match(/WRONGPASS/g)).toHaveLength(1);
        expect(logged()).not.toContain('canary-password');
        await link.stop();
      } finally {
        await client.config('SET', 'requirepass', '');
      }
    });
  });
});
