import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { oldKeyedEventId } from '@tollgate/kernel/event-id';
import { isReplay, startGateway, type GatewayUnderTest, type TestAccount } from '../support/gateway-under-test.ts';
import { keyedIdOf, putCountedEvent } from '../support/put-counted-event.ts';

/** The first gateway was there before ids had a secret; the second starts after the upgrade is finished. */
const running = {} as { before: GatewayUnderTest; after: GatewayUnderTest; account: TestAccount; toolId: string };

beforeAll(async () => {
  const first = await startGateway();
  await first.owner.query('update usage.event_id_secret set has_old_ids = true, in_use = false', []);
  const before = await startGateway({ beside: first });
  running.account = await first.newAccount();
  running.toolId = await first.newTool();
  Object.assign(running, { before, after: first });
});

afterAll(async () => {
  await running.before.stop();
  await running.after.stop();
});

describe('a gateway on a database with events from before ids had a secret', () => {
  it('gives ids without it until the upgrade is finished, and says how to finish it', async () => {
    const { before, account, toolId } = running;
    const { body } = await before.record({ tool_id: toolId, idempotency_key: 'early' }, { token: account.token });
    expect(body.event_id).toBe(oldKeyedEventId({ accountId: account.accountId, key: 'early' }));
    expect(before.logged()).toContain('tollgate operator finish-upgrade');
  });

  it('F190 gives ids that nobody can compute from account and key, once it is', async () => {
    const { before, account, toolId } = running;
    await before.owner.query('select usage.use_event_id_secret()', []);
    const after = await startGateway({ beside: before });
    const { body } = await after.record({ tool_id: toolId, idempotency_key: 'late' }, { token: account.token });
    const key = { accountId: account.accountId, key: 'late' };
    expect(body.event_id).toBe(await keyedIdOf(after.owner, key));
    expect(body.event_id).not.toBe(oldKeyedEventId(key));
    await after.stop();
  });

  it('F191 answers a repeat with the id and the time of its first event, counted or not, and 409 to another body', async () => {
    const { before, account, toolId } = running;
    const key = { accountId: account.accountId, key: 'counted-early' };
    const counted = { consumerId: account.accountId, toolId, occurredAtMs: before.clock.now() - 60_000, key: key.key };
    const eventId = await putCountedEvent(before.owner, { ...counted, eventId: oldKeyedEventId(key) });
    const after = await startGateway({ beside: before }); // its memory has `early`, which is not counted
    const send = (idempotency_key: string, more = {}) =>
      after.record({ tool_id: toolId, idempotency_key, ...more }, { token: account.token });
    const again = await send('counted-early');
    expect([again.status, isReplay(again), again.body.event_id]).toEqual([201, true, eventId]);
    const uncounted = await send('early');
    const earlyId = oldKeyedEventId({ accountId: account.accountId, key: 'early' });
    expect([uncounted.status, isReplay(uncounted), uncounted.body.event_id]).toEqual([201, true, earlyId]);
    expect((await send('counted-early', { duration_ms: 9 })).status).toBe(409);
    const listed = await after.send<{ events: { event_id: string }[] }>(
      'GET',
      '/v1/events?idempotency_key=counted-early',
      {
        token: account.token,
      },
    );
    expect(listed.body.events.map((event) => event.event_id)).toEqual([eventId]);
    await after.stop();
  });
});
