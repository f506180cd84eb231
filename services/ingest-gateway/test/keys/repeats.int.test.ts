import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { eventually } from '@tollgate/testkit/eventually';
import { describeWithRedis } from '@tollgate/testkit/redis';
import { isReplay } from '../support/gateway-under-test.ts';
import { putCountedEvent } from '../support/put-counted-event.ts';
import { withRedisInTime } from '../support/redis-check.ts';
import { useTwoGateways } from '../support/use-two-gateways.ts';

describeWithRedis('a repeat at the other of two gateways', () => {
  const { running, post } = useTwoGateways({ throughProxy: 'first' });

  it('F05 F06 is recognised as soon as the first is acknowledged; another body is 409 and not appended', async () => {
    const { one, two, proxy } = running;
    proxy.delay(12); // in each direction: the reply takes longer than the repeat
    const [first, again, other] = await withRedisInTime([one, two], async () => {
      const key = { idempotency_key: randomUUID() };
      return [await post(one, key), await post(two, key), await post(two, { ...key, duration_ms: 9 })] as const;
    });
    expect([first.status, isReplay(first)]).toEqual([201, false]);
    expect([again.status, isReplay(again), again.body]).toEqual([201, true, first.body]);
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
    const records = (await one.appended()).filter((record) => record.event_id === first.body.event_id);
    expect(records.map((record) => record.duration_ms)).toEqual([undefined]);
  });

  it.each([
    ['F09 that Redis has forgotten', async () => void (await running.client.flushall())],
    ['F08 while Redis is late', async () => running.proxy.delay(1_000)],
  ])('is recognised by the key table, for a counted event, %s', async (_name, lose) => {
    const { one, account, toolId } = running;
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

  it('F07 is recognised, for an event from the time without Redis, once Redis is back', async () => {
    const { one, two, proxy, client } = running;
    proxy.cut();
    const key = { idempotency_key: randomUUID() };
    const first = await post(one, key);
    expect(first.status).toBe(201);
    proxy.heal();
    const isSaved = async () => (await client.exists(`tollgate:reply:${first.body.event_id}`)) === 1;
    await eventually(isSaved, { withinMs: 10_000 });
    const again = await withRedisInTime([one, two], () => post(two, key));
    expect([again.status, isReplay(again), again.body]).toEqual([201, true, first.body]);
  });
});
