import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { archiveKeys } from '@tollgate/key-archive/archive-keys';
import { toIso } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import { eventually } from '@tollgate/testkit/eventually';
import { type GatewayUnderTest, type TestAccount, isReplay, startGateway } from '../support/gateway-under-test.ts';
import { putCountedEvent } from '../support/put-counted-event.ts';
import { randomUUID } from 'node:crypto';
import { describeWithRedis } from '@tollgate/testkit/redis';
import { withRedisInTime } from '../support/redis-check.ts';
import { useTwoGateways } from '../support/use-two-gateways.ts';

const running = {} as { gateway: GatewayUnderTest; account: TestAccount; toolId: string; folder: string; file: string };

const send = (idempotency_key: string, more = {}, gateway = running.gateway) =>
  gateway.record({ tool_id: running.toolId, idempotency_key, ...more }, { token: running.account.token });
const oldMs = () => running.gateway.clock.now() - 3 * 365 * dayMs;

async function archive(): Promise<string> {
  const { owner, clock } = running.gateway;
  await owner.query(`drop table usage.event_${toIso(oldMs()).slice(0, 10).replaceAll('-', '')}`);
  const deps = { database: owner, clock, folder: running.folder, onProgress: () => undefined };
  const isOpen = () => running.gateway.logged().includes('opened an archive of keys');
  const gatewaysKnow = async () => void (await eventually(isOpen, { withinMs: 15_000 })); // it looks every 5 s
  const result = await archiveKeys({ ...deps, gatewaysKnow }, clock.now() - 2 * 365 * dayMs);
  return result.file ?? '';
}

describe('a gateway whose key table has no old keys any more', () => {
  /** A gateway that was there before a key of three years ago was archived. */
  beforeAll(async () => {
    running.folder = mkdtempSync(join(tmpdir(), 'key-archive-'));
    running.gateway = await startGateway({ settings: { KEY_ARCHIVE_DIR: running.folder } });
    running.account = await running.gateway.newAccount();
    running.toolId = await running.gateway.newTool();
  });

  afterAll(async () => {
    await running.gateway.stop();
    rmSync(running.folder, { recursive: true });
  });

  it('F173 answers a repeat with the id and the time of its first event, and 409 to another body', async () => {
    const { gateway, account, toolId } = running;
    const wish = { consumerId: account.accountId, toolId, occurredAtMs: oldMs(), key: 'archived' };
    const eventId = await putCountedEvent(gateway.owner, wish);
    await putCountedEvent(gateway.owner, { ...wish, key: 'other-body' });
    running.file = await archive();
    const again = await send('archived');
    expect([again.status, isReplay(again)]).toEqual([201, true]);
    expect(again.body).toMatchObject({ event_id: eventId, timestamp: toIso(oldMs()) });
    expect((await send('other-body', { duration_ms: 1 })).body.code).toBe('idempotency_conflict');
    expect((await send('new')).status).toBe(201);
  }, 30_000);

  it('F174 does not start without the archive, and says which setting names its folder', async () => {
    const beside = running.gateway;
    await expect(startGateway({ beside })).rejects.toThrow('KEY_ARCHIVE_DIR');
    renameSync(running.file, `${running.file}.away`);
    const settings = { KEY_ARCHIVE_DIR: running.folder };
    await expect(startGateway({ beside, settings })).rejects.toThrow('cannot be read');
    renameSync(`${running.file}.away`, running.file);
    const second = await startGateway({ beside, settings });
    expect(isReplay(await send('archived', {}, second))).toBe(true);
    await second.stop();
  });
});

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
