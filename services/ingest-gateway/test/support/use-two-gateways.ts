import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { HttpAnswer } from '@tollgate/testkit/http-client';
import { startFaultProxy, type FaultProxy } from '@tollgate/testkit/fault-proxy';
import { startRedis, type RedisServer } from '@tollgate/testkit/redis/start-redis';
import { Redis } from 'ioredis';
import { startGateway, type EventAnswer, type GatewayUnderTest, type TestAccount } from './gateway-under-test.ts';
import { becomesShared } from './redis-check.ts';

export interface TwoGateways {
  redis: RedisServer;
  /** A direct connection to Redis. */
  client: Redis;
  /** The gateways' way to Redis: of both, or of the first alone. */
  proxy: FaultProxy;
  one: GatewayUnderTest;
  two: GatewayUnderTest;
  /** A new one in each test. */
  account: TestAccount;
  toolId: string;
}

export interface TwoGatewaysOptions {
  readonly throughProxy: 'both' | 'first';
  /** The monotonic clocks of the first and the second gateway. */
  readonly monotonic?: readonly [{ nowMs: number }, { nowMs: number }];
  /** The settings of both gateways. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Two gateways with one database and one Redis, for a whole suite. Each test begins with a Redis that both can reach. */
export function useTwoGateways({ throughProxy, monotonic, settings: more = {} }: TwoGatewaysOptions) {
  const running = {} as TwoGateways;

  beforeAll(async () => {
    const redis = await startRedis();
    const client = new Redis(redis.url, { disconnectTimeout: 200 });
    client.on('error', () => undefined); // tests kill Redis
    const { hostname: host, port } = new URL(redis.url);
    const proxy = await startFaultProxy({ host, port: Number(port) });
    const proxied = { ...more, REDIS_URL: proxy.through(redis.url) };
    const [here, there] = monotonic ?? [];
    const one = await startGateway({ settings: proxied, ...(here && { monotonic: here }) });
    const settings = throughProxy === 'both' ? proxied : { ...more, REDIS_URL: redis.url };
    const two = await startGateway({ settings, beside: one, ...(there && { monotonic: there }) });
    Object.assign(running, { redis, client, proxy, one, two, toolId: await one.newTool() });
  });
  beforeEach(async () => {
    running.proxy.heal();
    running.account = await running.one.newAccount();
    await becomesShared(running.one, running.two);
  });
  afterAll(async () => {
    running.client.disconnect();
    await running.two.stop();
    await running.one.stop();
    await running.proxy.close();
    await running.redis.stop();
  });

  const post = (gateway: GatewayUnderTest, body: object = {}): Promise<HttpAnswer<EventAnswer>> =>
    gateway.record({ tool_id: running.toolId, ...body }, { token: running.account.token });
  return { running, post };
}
