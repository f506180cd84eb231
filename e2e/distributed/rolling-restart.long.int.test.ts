import { expect } from '@jest/globals';
import { describeWithRedis } from '@tollgate/testkit/redis';
import { startRedis } from '@tollgate/testkit/redis/start-redis';
import type { ServiceName } from '@tollgate/testkit/service-process';
import { itWith } from '../it-with.ts';
import type { Ending } from './deployment.ts';
import { expectCountedOnce } from './expect-counted-once.ts';
import { openShape } from './shape.ts';
import { startCallers } from './start-callers.ts';

const clients = 4;
const acknowledgedBetween = 40;
const drainMaxMs = 10_000;
const others: readonly ServiceName[] = ['aggregator', 'auth', 'billing', 'ingest-gateway', 'aggregator'];
/** Each service in the order of its restart, with the path of the request that is under way meanwhile. */
const restarts: readonly (readonly [ServiceName, string | undefined])[] = [
  ['ingest-gateway', '/v1/events'],
  ['aggregator', undefined],
  ['auth', '/v1/api-keys'],
  ['billing', '/v1/tools'],
];

describeWithRedis('the services as processes of their own, two gateways and two aggregators', () => {
  const it = itWith(async (undo) => {
    const redis = await startRedis();
    undo(() => redis.stop());
    const shape = await openShape({ name: 'rolling-restart', settings: { REDIS_URL: redis.url } }, undo);
    await shape.deployment.add('ingest-gateway'); // alone: its start makes the topic that an aggregator needs
    await Promise.all(others.map((name) => shape.deployment.add(name)));
    return shape;
  });

  it('F87 counts everything once through a rolling restart of each under load, and no request fails', async (shape) => {
    const { deployment, client } = shape;
    const load = await shape.startLoad({ clients });
    const callers = startCallers(client, load.cast);
    const endings: Ending[] = [];
    for (const [name, path] of restarts) {
      await load.goesOn(acknowledgedBetween);
      const hold = path === undefined ? undefined : { path, token: load.cast.builderToken };
      endings.push(...(await deployment.replaceAll(name, hold)));
    }
    await load.goesOn(acknowledgedBetween);
    await callers.stop();
    const { unknown } = await expectCountedOnce(shape, 'rolling restart', { endings });

    expect(unknown).toBe(0);
    expect([...deployment.router.failures(), ...callers.refusals()]).toEqual([]);
    expect(callers.answered()).toBeGreaterThan(0);
    expect(endings.map(({ name, code, heldStatus }) => [name, code, heldStatus])).toEqual([
      ['ingest-gateway', 0, 400],
      ['ingest-gateway', 0, 400],
      ['aggregator', 0, undefined],
      ['aggregator', 0, undefined],
      ['auth', 0, 400],
      ['billing', 0, 400],
    ]);
    expect(Math.max(...endings.map(({ tookMs }) => tookMs))).toBeLessThan(drainMaxMs);
  }, 180_000);
});
