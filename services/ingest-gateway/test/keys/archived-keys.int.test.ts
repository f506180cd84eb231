import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { archiveKeys } from '@tollgate/key-archive/archive-keys';
import { toIso } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import { eventually } from '@tollgate/testkit/eventually';

import { isReplay, startGateway, type GatewayUnderTest, type TestAccount } from '../support/gateway-under-test.ts';
import { putCountedEvent } from '../support/put-counted-event.ts';

const running = {} as { gateway: GatewayUnderTest; account: TestAccount; toolId: string; folder: string; file: string };

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
