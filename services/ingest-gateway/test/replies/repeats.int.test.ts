import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { eventually } from '@tollgate/testkit/eventually';
import { startFaultProxy, type FaultProxy } from '@tollgate/testkit/fault-proxy';
import { describeWithRedis } from '@tollgate/testkit/redis';
import { startRedis, type RedisServer } from '@tollgate/testkit/redis/start-redis';
import { Redis } from 'ioredis';
import { startGateway, type GatewayUnderTest, type TestAccount } from '../support/gateway-under-test.ts';
import { putCountedEvent } from '../support/put-counted-event.ts';
import { becomesShared, withRedisInTime } from '../support/redis-check.ts';

interface Answer {
  readonly event_id: string;
  readonly timestamp: string;
  readonly code: string;
}

describeWithRedis('a repeat at the other of two gateways', () => {
  let redis: RedisServer;
  let client: Redis;
  /** The way of the first gateway to Redis; that of the second is always good. */
  let way: FaultProxy;
  let one: GatewayUnderTest;
  let two: GatewayUnderTest;
  let account: TestAccount;
  let toolId: string;

  beforeAll(async () => {
    redis = await startRedis();
    client = new Redis(redis.url);
    way = await startFaultProxy({ port: Number(new URL(redis.url).port) });
    one = await startGateway({ settings: { REDIS_URL: way.through(redis.url) } });
    two = await startGateway({ settings: { REDIS_URL: redis.url }, beside: one });
    toolId = await one.newTool();
  });
  beforeEach(async () => {
    way.heal();
    account = await one.newAccount();
    await becomesShared(one, two);
  });
  afterAll(async () => {
    client.disconnect();
    await two.stop();
    await one.stop();
    await way.close();
    await redis.stop();
  });

  const post = (gateway: GatewayUnderTest, body: object) =>
    gateway.send<Answer>('POST', '/v1/events', { token: account.token, body: { tool_id: toolId, ...body } });

  const isReplay = (answer: { headers: Headers }) => answer.headers.get('idempotent-replayed') === 'true';

  it('F05 is one as soon as the first is acknowledged, however long the way of its reply', async () => {
    way.delay(12); // each way: the reply is on its way for longer than the repeat
    const [first, again, other] = await withRedisInTime([one, two], async () => {
      const key = { idempotency_key: randomUUID() };
      return [await post(one, key), await post(two, key), await post(two, { ...key, duration_ms: 9 })] as const;
    });
    expect([first.status, isReplay(first)]).toEqual([201, false]);
    expect([again.status, isReplay(again), again.body]).toEqual([201, true, first.body]);
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
  });

  it.each([
    ['F09 is one of what was counted and Redis has forgotten', async () => void (await client.flushall())],
    ['F08 is one of what was counted where Redis is late', async () => way.delay(1_000)],
  ])('%s', async (_name, lose) => {
    const counted = { consumerId: account.accountId, toolId, occurredAtMs: one.clock.now() - 60_000 };
    const key = { idempotency_key: randomUUID() };
    const eventId = await putCountedEvent(one.owner, { ...counted, key: key.idempotency_key });
    await lose();
    const again = await post(one, key);
    const other = await post(one, { ...key, duration_ms: 9 });
    expect([again.status, isReplay(again), again.body]).toMatchObject([201, true, { event_id: eventId }]);
    expect(Date.parse(again.body.timestamp)).toBe(counted.occurredAtMs);
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
  });

  it('F07 is one of what Redis was away for, once it is back and before it is counted', async () => {
    way.cut();
    const key = { idempotency_key: randomUUID() };
    const first = await post(one, key);
    expect(first.status).toBe(201);
    way.heal();
    await eventually(async () => (await client.exists(`tollgate:reply:${first.body.event_id}`)) === 1, {
      withinMs: 10_000,
    });
    const again = await withRedisInTime([one, two], () => post(two, key));
    expect([again.status, isReplay(again), again.body]).toEqual([201, true, first.body]);
  });
});
