import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { createHttpClient } from '@tollgate/testkit/http-client';
import { ownerUrlOf, withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import {
  buildStandalone,
  fillDataFolder,
  standaloneCli,
  startStandalone,
  type StandaloneProcess,
} from '@tollgate/testkit/standalone-process';

import { makeFolder } from './support/use-standalone.ts';

const folder = makeFolder();
const dataDir = join(folder, 'data');
const archiveDir = join(folder, 'archive');
const running = {} as { service: StandaloneProcess; token: string; accountId: string; eventId: string };

const event = { tool_id: 'archived', idempotency_key: 'order-1' };
const otherKeys = 12_000;

beforeAll(async () => {
  await buildStandalone();
  await fillDataFolder(dataDir);
  await start();
  const send = await client();
  const { body } = await send('POST', '/v1/auth/register', {
    body: { email: 'k@example.com', password: 'of this test' },
  });
  running.token = String(body['access_token']);
  const { token } = running;
  await send('POST', '/v1/tools', { token, body: { slug: 'archived', name: 'T', price: { per_call_usd: '0.01' } } });
  running.eventId = String((await send('POST', '/v1/events', { token, body: event })).body['event_id']);
  await eventually(async () => (await ask('select count(*)::int from usage.event_key')) === 1, { withinMs: 20_000 });
  running.accountId = String(await ask('select consumer_id from usage.event_key'));
  await ask(`update usage.event_key set occurred_at = now() - interval '3 years'`);
  await ask(`insert into usage.event_key select gen_random_uuid(), gen_random_uuid(), decode(md5(n::text), 'hex'), now() - interval '2 years'
    from generate_series(1, ${otherKeys}) n`);
}, 120_000);
afterAll(() => running.service.destroy());

async function start(env: Record<string, string> = { KEY_ARCHIVE_DIR: archiveDir }): Promise<void> {
  running.service = startStandalone({ dataDir, env });
  await running.service.ready();
}

async function client() {
  return createHttpClient(await running.service.ready());
}

async function ask(query: string): Promise<unknown> {
  return withOracleDatabase(ownerUrlOf(dataDir), async (database) => {
    const { rows } = await database.query<unknown[]>({ text: query, rowMode: 'array' });
    return rows[0]?.[0];
  });
}

/** Runs `tollgate operator keys …`; with `killAt`, only until its progress says this. */
async function keys(args: readonly string[], killAt?: string) {
  const env = { PATH: process.env['PATH'], KEY_ARCHIVE_DIR: archiveDir };
  const child = spawn(process.execPath, [standaloneCli, 'keys', ...args, '--data', dataDir], { env, cwd: folder });
  let err = '';
  child.stderr.on('data', (part: Buffer) => {
    err += part.toString();
    if (killAt !== undefined && err.includes(killAt)) child.kill('SIGKILL');
  });
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  const [out, [code, signal]] = await Promise.all([text(child.stdout), exited]);
  return { code, out, err, signal };
}

const archive = ['archive', '--older-than', '1'];

const lockFourthPartition = `do $$ begin
  execute 'lock table ' || (select inhrelid::regclass from pg_inherits where inhparent = 'usage.event_key'::regclass
    order by inhrelid offset 3 limit 1) || ' in access exclusive mode';
end $$`;
const sixThousandth = 'select event_id from usage.event_key order by event_id offset 6000 limit 1';

/** Where an archive is killed, and the lock before which it waits there until then. */
const places = [
  { place: 'read partition 3 of', lock: lockFourthPartition },
  { place: 'wrote ', lock: 'lock table usage.cursor in row exclusive mode' },
  { place: 'every flush knows', lock: 'lock table usage.event_key in share mode' },
  { place: 'removed 5000 of', lock: `select from usage.event_key where event_id = (${sixThousandth}) for update` },
];

function killedAt(place: string, lock: string) {
  return withOracleDatabase(ownerUrlOf(dataDir), async (database) => {
    await database.query('begin');
    await database.query(lock);
    return keys(archive, place);
  });
}

describe('tollgate keys', () => {
  it('says how much an archive would move, and changes nothing', async () => {
    const { code, out } = await keys([...archive, '--dry-run']);
    expect([code, out]).toEqual([0, expect.stringContaining(`${otherKeys + 1} keys are of events before`)]);
    expect(await ask('select count(*)::int from usage.event_key')).toBe(otherKeys + 1);
    expect(await keys(['archive', '--older-than', '0.5'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('whole number of years'),
    });
  });

  it('F173 archive goes on where a killed one stopped, and a repeat is a repeat all the while', async () => {
    const send = await client();
    const repeat = async () => {
      const { status, headers, body } = await send('POST', '/v1/events', { token: running.token, body: event });
      return [status, headers.get('idempotent-replayed'), body['event_id']];
    };
    const asBefore = [201, 'true', running.eventId];
    for (const { place, lock } of places) {
      expect(await killedAt(place, lock)).toMatchObject({ signal: 'SIGKILL' });
      expect([place, ...(await repeat())]).toEqual([place, ...asBefore]);
    }
    const { code, out } = await keys(archive);
    expect([code, out]).toEqual([0, expect.stringContaining(`has the ${otherKeys + 1} keys`)]);
    expect(await ask('select count(*)::int from usage.event_key')).toBe(0);
    expect(readdirSync(archiveDir)).toEqual([expect.stringMatching(/^keys-0001-[0-9a-f]{8}\.tgkeys$/)]);
    expect(await repeat()).toEqual(asBefore);
  }, 180_000);

  it('finds a key in its archive, and reads archives as a whole', async () => {
    const place = expect.stringContaining(`event ${running.eventId} of account ${running.accountId}`);
    const byKey = ['--account', running.accountId, '--key', 'order-1'];
    expect(await keys(['lookup', ...byKey])).toMatchObject({ code: 0, out: place });
    expect(await keys(['lookup', running.eventId])).toMatchObject({ code: 0, out: expect.stringContaining('.tgkeys') });
    expect(await keys(['lookup', ...byKey.slice(0, 3), 'order-2'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('no event'),
    });
    expect(await keys(['verify'])).toMatchObject({
      code: 0,
      out: `1 archives with ${otherKeys + 1} keys are whole.\n`,
    });
  }, 60_000);

  it('F174 leaves a Tollgate that cannot find its archives stopped, and one that can counts a repeat never again', async () => {
    await running.service.killAll();
    const lost = startStandalone({ dataDir });
    expect(await lost.exited).toMatchObject({ code: 1 });
    expect(lost.output()).toContain('KEY_ARCHIVE_DIR');
    await lost.destroy();
    await start();
    const send = await client();
    const { status } = await send('POST', '/v1/events', { token: running.token, body: event });
    await send('POST', '/v1/events', { token: running.token, body: { ...event, idempotency_key: 'order-2' } });
    await eventually(async () => (await ask('select sum(calls)::int from usage.rollup')) === 2, { withinMs: 20_000 });
    expect(status).toBe(201);
  }, 120_000);
});
