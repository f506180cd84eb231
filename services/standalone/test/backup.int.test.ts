import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { eventually } from '@tollgate/testkit/eventually';
import type { HttpClient } from '@tollgate/testkit/http-client';
import { ownerUrlOf, withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { startStandalone } from '@tollgate/testkit/standalone-process';

import { runTollgate } from './support/run-tollgate.ts';
import { useStandalone, withStandalone } from './support/use-standalone.ts';

const running = useStandalone({ LOG_LEVEL: 'info' }); // the log has the audit stream
const password = 'a password of this test';

const tollgate = (args: readonly string[]) => runTollgate(args.join(' '), { folder: running.folder });

async function newAccount(email: string): Promise<{ token: string }> {
  const { body } = await running.send('POST', '/v1/auth/register', { body: { email, password } });
  return { token: String(body['access_token']) };
}

interface Caller {
  /** The ids of acknowledged events, with the time at which the caller knew. */
  readonly acknowledged: { readonly id: string; readonly atMs: number }[];
  stop(): Promise<void>;
}

/** Sends batches without a pause, until it is stopped or the service is gone. */
function startCalling(send: HttpClient, token: string): Caller {
  const acknowledged: { id: string; atMs: number }[] = [];
  let isStopped = false;
  async function call(): Promise<void> {
    while (!isStopped) {
      const events = Array.from({ length: 20 }, () => ({ tool_id: 'backed-up', duration_ms: 3 }));
      const { status, body } = await send('POST', '/v1/events/batch', { token, body: { events } });
      if (status !== 200) continue;
      const atMs = systemClock.now();
      for (const { event_id: id } of body['results'] as { event_id: string }[]) acknowledged.push({ id, atMs });
    }
  }
  const calls = [call(), call(), call()].map((each) => each.catch(() => undefined));
  return {
    acknowledged,
    async stop() {
      isStopped = true;
      await Promise.all(calls);
    },
  };
}

async function countedIds(dataDir: string): Promise<Set<string>> {
  return withOracleDatabase(ownerUrlOf(dataDir), async (database) => {
    const { rows } = await database.query<{ event_id: string }>('select event_id from usage.event');
    return new Set(rows.map((row) => row.event_id));
  });
}

describe('tollgate backup and restore', () => {
  it('F192 F193 has every event that was acknowledged before the end of the backup, and revives no credential', async () => {
    const { send, dataDir, folder, service } = running;
    const owner = await newAccount('backup@example.com');
    const session = await newAccount('session@example.com');
    await send('POST', '/v1/tools', {
      ...owner,
      body: { slug: 'backed-up', name: 'T', price: { per_call_usd: '0.01' } },
    });
    const newKey = async () => (await send('POST', '/v1/api-keys', { ...owner, body: { name: 'k' } })).body;
    const [kept, revoked] = [await newKey(), await newKey()];
    const pass = (await send('POST', '/v1/passes', { ...owner, body: { name: 'agent', tools: ['backed-up'] } })).body;
    const caller = startCalling(send, String(kept['key']));
    await eventually(() => caller.acknowledged.length >= 500, { withinMs: 30_000 });

    const backup = join(folder, 'backup');
    const made = await tollgate(['backup', backup, '--data', dataDir]);
    expect(made).toMatchObject({ code: 0, err: '' });
    const endedAt = Date.parse(/acknowledged before (\S+)/.exec(made.out)?.[1] ?? '');
    const atEnd = caller.acknowledged.length;
    await eventually(() => caller.acknowledged.length > atEnd, { withinMs: 30_000 }); // the load went on all the while
    expect((await send('DELETE', `/v1/api-keys/${String(revoked['id'])}`, owner)).status).toBe(204);
    expect((await send('DELETE', `/v1/passes/${String(pass['id'])}`, owner)).status).toBe(204);
    const log = join(folder, 'tollgate.log');
    await eventually(() => service.output().includes('pass.revoked'), { withinMs: 5_000 });
    writeFileSync(log, service.output());
    await service.killAll();
    await caller.stop();

    const restored = join(folder, 'restored');
    const done = await tollgate(['restore', backup, '--data', restored, '--audit-log', log]);
    expect([done.code, done.err]).toEqual([0, '']);
    expect(done.out).toContain('1 API keys are revoked:\n  ' + String(revoked['id']));
    expect(done.out).toContain(`1 passes are revoked:\n  ${String(pass['id'])}  "agent"`);
    const before = caller.acknowledged.filter(({ atMs }) => atMs < endedAt);
    expect(before.length).toBeGreaterThanOrEqual(500);
    await withStandalone(restored, async (again) => {
      const missing = async () => {
        const ids = await countedIds(restored);
        return before.filter(({ id }) => !ids.has(id));
      };
      await eventually(async () => (await missing()).length === 0, { withinMs: 30_000 });
      const statusOf = async (token: string) => (await again('GET', '/v1/auth/me', { token })).status;
      expect(await statusOf(session.token)).toBe(401);
      expect([await statusOf(String(kept['key'])), await statusOf(String(revoked['key']))]).toEqual([200, 401]);
      expect((await again('GET', '/v1/passes/self', { token: String(pass['key']) })).status).toBe(401);
      expect(await tollgate(['ledger', 'check', '--data', restored])).toMatchObject({ code: 0 });
      const period = new Date(endedAt).toISOString().slice(0, 7);
      expect(await tollgate(['reconcile', '--period', period, '--data', restored])).toMatchObject({ code: 0 });
    });
  }, 180_000);

  it('F192 refuses a folder that is in use, that is no whole backup, or that has data', async () => {
    const { folder, dataDir } = running;
    const backup = join(folder, 'backup');
    const restore = (from: string, to: string) => tollgate(['restore', from, '--data', to]);
    expect(await restore(dataDir, join(folder, 'other'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('no whole backup'),
    });
    expect(await restore(backup, join(folder, 'restored'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('has data already'),
    });
    expect(await tollgate(['backup', backup, '--data', dataDir])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not empty'),
    });
    const inside = join(dataDir, 'backup');
    expect(await tollgate(['backup', inside, '--data', dataDir])).toMatchObject({
      code: 1,
      err: expect.stringContaining('outside'),
    });
  }, 60_000);
});

describe('tollgate backup --to', () => {
  const backUp = (to: string, dataDir: string, ...words: string[]) =>
    tollgate(['backup', '--to', to, '--data', dataDir, ...words]);
  const folderOf = ({ out }: { out: string }) => /^(\S+) has all/.exec(out)?.[1] ?? '';

  it('F355 verify a backup by restoring it, show its age, and keep the newest ones', async () => {
    const { folder, dataDir } = running;
    const to = join(folder, 'daily');
    const first = await backUp(to, dataDir, '--verify');
    expect(first.err).toMatch(/restoring \d+ MB\n.*replaying.*\n.*ledger\n.*everything agrees/);
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining('Verified: it was restored') });
    const { out } = await tollgate(['status', '--json', '--data', dataDir]);
    expect(JSON.parse(out)).toMatchObject({ verified_backup_age_seconds: expect.any(Number) });
    mkdirSync(join(to, 'not of ours'));
    const second = await backUp(to, dataDir, '--keep', '1');
    expect(second.out).toContain(`Removed the older ${basename(folderOf(first))}`);
    expect(readdirSync(to).toSorted()).toEqual([basename(folderOf(second)), 'not of ours']);
  }, 120_000);

  it('F355 say what to name', async () => {
    expect(await tollgate(['backup'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('--to the folder of all'),
    });
  });
});

describe('a copy of a data folder', () => {
  const copy = (from: string, to: string) => execFileSync('cp', ['-a', from, to]); // with owners and modes

  it('F194 is refused with the way out when it was made while Tollgate ran, and started when Tollgate was stopped', async () => {
    const { folder } = running;
    const [dataDir, hot, cold] = ['original', 'hot', 'cold'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await withStandalone(dataDir, async () => void copy(dataDir, hot));
    const refused = startStandalone({ dataDir: hot });
    expect(await refused.exited).toMatchObject({ code: 1 });
    expect(refused.output()).toMatch(/copy that was made while Tollgate ran.*tollgate operator restore/);
    await refused.destroy();
    const stopped = startStandalone({ dataDir });
    await stopped.ready();
    stopped.signal('SIGTERM');
    await stopped.exited;
    copy(dataDir, cold);
    await stopped.destroy();
    await withStandalone(cold, async (send) => expect((await send('GET', '/livez')).status).toBe(200));
  }, 120_000);
});
