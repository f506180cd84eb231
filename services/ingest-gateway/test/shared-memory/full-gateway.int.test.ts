import { expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { describeWithRedis } from '@tollgate/testkit/redis';
import type { GatewayUnderTest } from '../support/gateway-under-test.ts';
import { stallLog } from '../support/stall-log.ts';
import { useTwoGateways } from '../support/use-two-gateways.ts';

const roomFor = 1_000;

describeWithRedis('a gateway that holds as many events as it may', () => {
  const settings = { HELD_EVENTS_MAX: String(roomFor), APPEND_DEADLINE_MS: '20000' };
  const monotonic = [{ nowMs: 1_000_000 }, { nowMs: 1_000_000 }] as const; // a second without an end
  const { running, post } = useTwoGateways({ throughProxy: 'both', monotonic, settings });

  /** How often Redis ran a script since its start. */
  async function scriptsRun(): Promise<number> {
    const stats = await running.client.info('commandstats');
    return Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(stats)?.[1] ?? 0);
  }

  it('F83 counts requests by itself, for it refuses them: Redis is not asked, and 429 comes after 100', async () => {
    const { one, two, account, toolId } = running;
    await post(one);
    const { release } = await stallLog(one.owner);
    const events = Array.from({ length: roomFor }, () => ({ tool_id: toolId }));
    const held = one.send('POST', '/v1/events/batch', { token: account.token, body: { events } });
    await eventually(async () => (await heldBy(one)) === roomFor, { withinMs: 5_000 });
    const before = await scriptsRun();
    const refused = await Promise.all(Array.from({ length: 120 }, () => post(one)));
    expect(await scriptsRun()).toBe(before);
    expect(refused.filter(({ status }) => status === 503)).toHaveLength(98); // after one event and one batch
    expect(refused.filter(({ status }) => status === 429)).toHaveLength(22);
    for (const { headers } of refused) expect(headers.get('x-ratelimit-limit')).toBe('100');
    await release();
    expect((await held).status).toBe(200);
    const next = await post(two);
    expect([next.status, next.headers.get('x-ratelimit-remaining')]).toEqual([201, '97']); // of refused requests it knows nothing
  });
});

async function heldBy(gateway: GatewayUnderTest): Promise<number> {
  return Number(/^tollgate_gateway_held_events\{.*\} (\d+)$/m.exec(await gateway.metrics())?.[1]);
}
