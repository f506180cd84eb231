import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase } from '@tollgate/database/database';
import { eventually } from '@tollgate/testkit/eventually';
import { createHttpClient, type HttpClient } from '@tollgate/testkit/http-client';
import { describeWithKafka, testKafka } from '@tollgate/testkit/kafka';
import { startKeeper, type Keeper } from '@tollgate/testkit/keeper';
import { testDatabase } from '@tollgate/testkit/postgres';
import {
  buildStandalone,
  standaloneCli,
  startStandalone,
  type StandaloneProcess,
} from '@tollgate/testkit/standalone-process';

let folder: string;
let dataDir: string;
let keeper: Keeper;
let service: StandaloneProcess;
let send: HttpClient;
const email = 'forgetful@example.com';

beforeAll(async () => {
  await buildStandalone();
  folder = mkdtempSync(join(tmpdir(), 'tollgate-cli-'));
  chmodSync(folder, 0o711);
  dataDir = join(folder, 'data');
  keeper = startKeeper({ dataDir });
  service = startStandalone({ dataDir });
  send = createHttpClient(await service.ready());
  await send('POST', '/v1/auth/register', { body: { email, password: 'the first password' } });
}, 120_000);
afterAll(async () => {
  await service.destroy();
  await keeper.end();
  rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function tollgate(
  args: readonly string[],
  { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [standaloneCli, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    cwd: folder,
  });
  child.stdin.end(input);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, out, err };
}

async function signInStatus(password: string): Promise<number> {
  return (await send('POST', '/v1/auth/login', { body: { email, password } })).status;
}

describe('tollgate', () => {
  it.each([
    ['--help'],
    ['migrate --help'],
    ['account --help'],
    ['account set-password --help'],
    ['rebuild-rollups --help'],
    ['ledger --help'],
    ['ledger check --help'],
    ['reconcile --help'],
    ['trace --help'],
    ['topics --help'],
  ])('explains itself: %s', async (line) => {
    const { code, out } = await tollgate(line.split(' '));
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: tollgate/);
  });

  it('ends with 2 for what it does not understand', async () => {
    expect(await tollgate(['conquer'])).toMatchObject({
      code: 2,
      err: expect.stringContaining("unknown command 'conquer'"),
    });
    expect(await tollgate(['account', 'set-password'])).toMatchObject({
      code: 2,
      err: expect.stringContaining("'email'"),
    });
  });

  it('says in one line that there is no data, or no database', async () => {
    const nowhere = await tollgate(['rebuild-rollups', '--data', join(folder, 'nowhere')]);
    expect(nowhere).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^tollgate: there is no data folder [^\n]+\n$/),
    });
    const unreachable = await tollgate(['rebuild-rollups'], {
      env: { DATABASE_URL: 'postgresql://a:b@127.0.0.1:1/c' },
    });
    expect(unreachable).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^tollgate: the database cannot be reached: [^\n]+\n$/),
    });
  });

  it('migrates a server of one’s own, and asks for all role passwords that are missing', async () => {
    const { ownerUrl, drop } = await testDatabase();
    const refused = await tollgate(['migrate'], { env: { DATABASE_URL: ownerUrl, AUTH_API_PASSWORD: 'x' } });
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(/needed too: AUTH_WORKER_PASSWORD, .*BILLING_WORKER_PASSWORD\n$/),
    });
    await drop();
  });

  it('sets a password while Tollgate runs: the new one signs in, the old one does not', async () => {
    const done = await tollgate(['account', 'set-password', email, '--data', dataDir], {
      input: 'the second password\n',
    });
    expect(done).toMatchObject({ code: 0, err: '' });
    expect(await signInStatus('the first password')).toBe(401);
    expect(await signInStatus('the second password')).toBe(200);
  });

  it('says why a password is refused, and that an account does not exist', async () => {
    const short = await tollgate(['account', 'set-password', email, '--data', dataDir], { input: 'short\n' });
    expect(short).toMatchObject({ code: 1, err: expect.stringMatching(/^tollgate: [^\n]*8[^\n]*\n$/) });
    const unknown = await tollgate(['account', 'set-password', 'nobody@example.com', '--data', dataDir], {
      input: 'long enough it is\n',
    });
    expect(unknown).toMatchObject({ code: 1, err: 'tollgate: There is no account with this e-mail.\n' });
  });

  it('compares the rollups with the events while Tollgate runs', async () => {
    const done = await tollgate(['rebuild-rollups', '--data', dataDir]);
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining('the same, byte for byte'), err: '' });
  });

  it('checks the ledger while Tollgate runs', async () => {
    const done = await tollgate(['ledger', 'check', '--data', dataDir]);
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining('everything agrees'), err: '' });
  });

  it('follows an event with both sides of its money while Tollgate runs', async () => {
    const { body } = await send('POST', '/v1/auth/register', {
      body: { email: 'builder@example.com', password: 'the builder password' },
    });
    const builder = { token: String(body['access_token']) };
    const tool = { slug: 'search', name: 'Search', price: { per_call_usd: '0.0025' } };
    await send('POST', '/v1/tools', { ...builder, body: tool });
    const login = await send('POST', '/v1/auth/login', { body: { email, password: 'the second password' } });
    const consumer = { token: String(login.body['access_token']) };
    const recorded = await send('POST', '/v1/events', { ...consumer, body: { tool_id: 'search' } });
    const eventId = String(recorded.body['event_id']);
    const counted = async () => (await send('GET', `/v1/events/${eventId}/trace`, consumer)).status === 200;
    await eventually(counted, { withinMs: 10_000 });

    const told = await tollgate(['trace', eventId, '--data', dataDir]);
    expect(told).toMatchObject({ code: 0, err: '' });
    expect(told.out).toMatch(/^event .*\n {2}accepted .*\n {2}counted .*\n {2}rated .* 0\.0025 USD/);
    expect(told.out).toMatch(/payment +waiting, for period close .*\n {2}earning +0\.0025 USD and 0 USD fee, expected/);
    const json = await tollgate(['trace', eventId, '--json', '--data', dataDir]);
    const ofConsumer = (await send('GET', `/v1/events/${eventId}/trace`, consumer)).body;
    const ofBuilder = (await send('GET', `/v1/events/${eventId}/trace`, builder)).body;
    const { earning, payout } = ofBuilder;
    expect(JSON.parse(json.out)).toEqual({ ...ofConsumer, earning, payout });
    const none = await tollgate(['trace', '0199a3b2-7c1d-8e4f-8a5b-6c7d8e9f0a1b', '--data', dataDir]);
    expect(none).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^tollgate: No such event [^\n]+\n$/) });
  });

  it('ends with 1 and names the rows where the ledger differs', async () => {
    const { ownerUrl, drop } = await testDatabase();
    const log = createLogger({ name: 'test', level: 'silent' });
    const owner = createDatabase({ url: ownerUrl, name: 'test-owner', log });
    await owner.query('alter table billing.ledger_account disable trigger user');
    await owner.query(`insert into billing.ledger_account (kind, balance_micros) values ('cash', 7)`);
    await owner.stop();
    const done = await tollgate(['ledger', 'check'], { env: { DATABASE_URL: ownerUrl } });
    await drop();
    expect(done).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('account cash of the platform: balance 7'),
    });
  });

  it('reconciles a period while Tollgate runs, in words and for machines', async () => {
    const told = await tollgate(['reconcile', '--period', '2026-11', '--data', dataDir]);
    expect(told).toMatchObject({ code: 0, err: '' });
    expect(told.out).toMatch(/^2026-11: everything agrees\n  ✓ events = rollups\n/);
    expect(told.out.match(/✓/g)).toHaveLength(4);
    const json = await tollgate(['reconcile', '--period', '2026-11', '--json', '--data', dataDir]);
    expect(JSON.parse(json.out)).toMatchObject({ period: '2026-11', equal: true, steps: [{}, {}, {}, {}] });
    expect(await tollgate(['reconcile', '--period', 'November', '--data', dataDir])).toMatchObject({
      code: 1,
      err: 'tollgate: --period is a month such as 2026-11, not November\n',
    });
    expect(await tollgate(['reconcile', '--data', dataDir])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--period'),
    });
  });

  it('ends with 1 and names the rows where a period does not reconcile', async () => {
    const { ownerUrl, drop } = await testDatabase();
    const log = createLogger({ name: 'test', level: 'silent' });
    const owner = createDatabase({ url: ownerUrl, name: 'test-owner', log });
    await owner.query(`select usage.ensure_day('2026-11-05')`);
    await owner.query(
      `insert into usage.rollup values ('00000000-0000-4000-8000-000000000001', 'search', '2026-11-05T00:00:00Z', true, 3, 0)`,
    );
    await owner.stop();
    const env = { DATABASE_URL: ownerUrl };
    const done = await tollgate(['reconcile', '--period', '2026-11'], { env });
    const json = await tollgate(['reconcile', '--period', '2026-11', '--json'], { env });
    await drop();
    expect(done).toMatchObject({ code: 1, out: expect.stringContaining('differs: search by 00000000'), err: '' });
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({ equal: false, steps: [{ equal: false, differing: 1 }, {}, {}, {}] });
  });

  it('works on the data of a Tollgate that does not run, and leaves nothing running', async () => {
    service.signal('SIGTERM');
    await service.exited;
    const done = await tollgate(['migrate'], { env: { DATA_DIR: dataDir } });
    expect(done).toEqual({ code: 0, out: 'The database is up to date.\n', err: '' });
    const set = await tollgate(['account', 'set-password', email, '--data', dataDir], {
      input: 'the third password\n',
    });
    expect(set).toMatchObject({ code: 0, err: '' });
    const next = startStandalone({ dataDir });
    send = createHttpClient(await next.ready());
    expect(await signInStatus('the third password')).toBe(200);
    await next.destroy();
  });
});

const describeKafka = await describeWithKafka();

describeKafka('tollgate topics', () => {
  it('F21 makes what the services refuse to start without, and says so', async () => {
    const { address } = await testKafka();
    const env = { KAFKA_BROKERS: address, KAFKA_REPLICATION_FACTOR: '1', USAGE_EVENT_PARTITIONS: '2' };
    const made = await tollgate(['topics'], { env });
    expect(made).toMatchObject({ code: 0, err: '', out: 'Made usage.events.v1 with 2 partitions.\n' });
    const again = await tollgate(['topics'], { env });
    expect(again).toMatchObject({ code: 0, err: '', out: 'usage.events.v1 is as it should be.\n' });
  }, 60_000);

  it('says in one line what is missing, and that Kafka cannot be reached', async () => {
    expect(await tollgate(['topics'])).toMatchObject({ code: 1, err: expect.stringContaining('KAFKA_BROKERS') });
    const unreachable = await tollgate(['topics'], { env: { KAFKA_BROKERS: '127.0.0.1:1' } });
    expect(unreachable).toMatchObject({ code: 1, err: expect.stringMatching(/^tollgate: [^\n]+\n$/) });
  }, 60_000);
});
