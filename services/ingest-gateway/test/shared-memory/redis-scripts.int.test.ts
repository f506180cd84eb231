import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pass } from 'node:timers/promises';
import { systemClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { busyMs, eventually } from '@tollgate/testkit/eventually';
import { describeWithRedis } from '@tollgate/testkit/redis';
import { startRedis, type RedisServer } from '@tollgate/testkit/redis/start-redis';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { SlidingWindow, type Admission, type WindowRules } from '@tollgate/runtime/limits/sliding-window';
import { rateLimiterContract } from '@tollgate/testkit/contracts/rate-limiter.contract';
import { repliesContract } from '../support/reply-cache.contract.ts';
import { createMemoryRateLimiter } from '@tollgate/runtime/limits/memory-rate-limiter';
import { createJudge } from '../../src/shared-memory/judge.ts';
import { judgeScript } from '../../src/shared-memory/judge-script.ts';
import { createRedisLink } from '../../src/shared-memory/redis-link.ts';
import { createRedisRateLimiter } from '../../src/shared-memory/redis-rate-limiter.ts';
import { createRedisReplyCache } from '../../src/shared-memory/redis-reply-cache.ts';

const clock = systemClock;
const anyRules = { limit: 100, windowMs: 1_000 };

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
