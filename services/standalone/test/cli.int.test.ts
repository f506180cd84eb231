import { isDeepStrictEqual } from 'node:util';

import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { eventually } from '@tollgate/testkit/eventually';
import { createHttpClient } from '@tollgate/testkit/http-client';
import { describeWithKafka, testKafka } from '@tollgate/testkit/kafka';
import { startStandalone } from '@tollgate/testkit/standalone-process';
import { Secret, TOTP } from 'otpauth';

import { onChangedDatabase, runTollgate, type Context } from './support/run-tollgate.ts';
import { useStandalone } from './support/use-standalone.ts';

const running = useStandalone();
const email = 'forgetful@example.com';

/** Without DATABASE_URL, the command works on the data of the running Tollgate. */
function tollgate(line: string, { input, env = { DATA_DIR: running.dataDir } }: Context = {}) {
  return runTollgate(line, { input, env, folder: running.folder });
}

async function signInStatus(password: string, send = running.send): Promise<number> {
  return (await send('POST', '/v1/auth/login', { body: { email, password } })).status;
}

async function register(account: { email: string; password: string }): Promise<{ token: string }> {
  const { body } = await running.send('POST', '/v1/auth/register', { body: account });
  return { token: String(body['access_token']) };
}

const tokenCommands = ['create', 'list', 'revoke', 'rotate'].map((verb) => `operator-token ${verb}`);
const rotations = ['signing-key', 'signing-key rotate', 'operator-token', ...tokenCommands];
const commands = [
  'status',
  'accounts',
  'invoices',
  'payouts',
  'migrate',
  'backup',
  'restore',
  'after-restore',
  'invoice',
  'invoice confirm',
  'account',
  'account set-password',
  'account remove-totp',
  'account grant-operator',
  'account revoke-operator',
  'operator-totp',
  'operator-totp enable',
  'operator-totp confirm',
  'operator-totp disable',
  ...rotations,
  'rebuild-rollups',
  'ledger',
  'ledger check',
  'keys',
  'keys archive',
  'keys lookup',
  'keys verify',
];

describe('tollgate', () => {
  it.each(['', ...[...commands, 'reconcile', 'trace', 'topics'].map((command) => `${command} `)])(
    'explains itself: %s--help',
    async (command) => {
      const { code, out } = await tollgate(`${command}--help`);
      expect(code).toBe(0);
      expect(out).toMatch(/^Usage: tollgate/);
    },
  );

  it.each([
    ['conquer', "unknown command 'conquer'"],
    ['account set-password', "'email'"],
    ['reconcile', '--period'],
    ['invoices --status pending', 'Allowed choices are open, paid, carried, past_due, uncollectible, void.'],
    ['payouts --limit 0', 'It must be a whole number from 1 to 100000.'],
    ['accounts --json --csv', "'--json' cannot be used with option '--csv'"],
  ])('ends with 2 for a command line that is wrong: %s', async (line, complaint) => {
    expect(await tollgate(line)).toMatchObject({ code: 2, err: expect.stringContaining(complaint) });
  });

  it.each([
    ['rebuild-rollups --data nowhere', {}, /^tollgate: there is no data folder [^\n]+\n$/],
    [
      'rebuild-rollups',
      { DATABASE_URL: 'postgresql://a:b@127.0.0.1:1/c' },
      /^tollgate: the database cannot be reached: [^\n]+\n$/,
    ],
    ['reconcile --period November', {}, /^tollgate: --period is a month such as 2026-11, not November\n$/],
    ['payouts --period 2026-13', {}, /^tollgate: --period is a month such as 2026-11, not 2026-13\n$/],
    [
      'invoices --account nobody@example.com',
      undefined,
      /^tollgate: There is no account with the e-mail nobody@example.com\.\n$/,
    ],
    [
      'trace 0199a3b2-7c1d-8e4f-8a5b-6c7d8e9f0a1b',
      undefined,
      /^tollgate: The event `0199a3b2-7c1d-8e4f-8a5b-6c7d8e9f0a1b` is not counted\. [^\n]+\n$/,
    ],
  ])('says in one line why it ends with 1: %s', async (line, env, words) => {
    const ended = await tollgate(line, env && { env });
    expect(ended).toMatchObject({ code: 1, out: '', err: expect.stringMatching(words) });
  });

  it('asks for every role password that is missing when it migrates a server', async () => {
    const refused = await onChangedDatabase([], ({ env }) =>
      tollgate('migrate', { env: { ...env, AUTH_API_PASSWORD: 'x' } }),
    );
    const missing = expect.stringMatching(/needed too: AUTH_WORKER_PASSWORD, .*NOTIFIER_WORKER_PASSWORD\n$/);
    expect(refused).toMatchObject({ code: 1, err: missing });
  });

  it('sets a password while Tollgate runs: the new one signs in, the old one does not', async () => {
    await register({ email, password: 'the first password' });
    const ended = await tollgate(`account set-password ${email}`, { input: 'the second password\n' });
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(await signInStatus('the first password')).toBe(401);
    expect(await signInStatus('the second password')).toBe(200);
  });

  it('F136 ends the API keys with the password, unless told to keep them', async () => {
    const account = { email: 'keys@example.com', password: 'the first password' };
    const { token } = await register(account);
    const { body } = await running.send('POST', '/v1/api-keys', { token, body: { name: 'x' } });
    const statusOfKey = async () => (await running.send('GET', '/v1/auth/me', { token: String(body['key']) })).status;
    const line = `account set-password ${account.email}`;
    const kept = await tollgate(`${line} --keep-api-keys`, { input: 'the second password\n' });
    expect(kept).toMatchObject({ code: 0, out: expect.stringContaining('its sessions have ended.') });
    expect(await statusOfKey()).toBe(200);
    const ended = await tollgate(line, { input: 'the third password\n' });
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('its sessions and API keys have ended.') });
    await eventually(async () => (await statusOfKey()) === 401, { withinMs: 1_000 });
  });

  it('F164 removes the second factor of an owner who lost it, while Tollgate runs', async () => {
    const account = { email: 'totp@example.com', password: 'the first password' };
    const { token } = await register(account);
    const { body: begun } = await running.send('POST', '/v1/auth/totp', { token, body: account });
    expect(begun).toMatchObject({ code: 'invalid_request' }); // a closed object
    const { password } = account;
    const { body } = await running.send('POST', '/v1/auth/totp', { token, body: { password } });
    const code = new TOTP({ secret: Secret.fromBase32(String(body['secret'])) }).generate();
    await running.send('POST', '/v1/auth/totp/confirm', { token, body: { code } });
    const login = async () => (await running.send('POST', '/v1/auth/login', { body: account })).body['code'];
    expect(await login()).toBe('second_factor_required');
    const ended = await tollgate(`account remove-totp ${account.email}`);
    const out = 'totp@example.com signs in with the password alone; its sessions have ended.\n';
    expect(ended).toMatchObject({ code: 0, out, err: '' });
    expect(await login()).toBeUndefined();
    expect(await tollgate(`account remove-totp ${account.email}`)).toMatchObject({ code: 1 });
  });

  it('F339 makes an account the operator’s, and ends that, while Tollgate runs', async () => {
    const email = 'operator@example.com';
    const { token } = await register({ email, password: 'the first password' });
    const status = async () => (await running.send('GET', '/v1/auth/me', { token })).status;
    expect(await tollgate(`account grant-operator ${email}`)).toMatchObject({
      code: 0,
      out: `${email} is an account of the operator; its sessions have ended. It signs in with a second factor.\n`,
    });
    await eventually(async () => (await status()) === 401, { withinMs: 1_000 });
    expect(await tollgate(`account revoke-operator ${email}`)).toMatchObject({ code: 0 });
    expect(await tollgate(`account revoke-operator ${email}`)).toMatchObject({ code: 1 });
  });

  it('F137 rotates the signing key: tokens stay good, or are refused at once', async () => {
    const { token } = await register({ email: 'rotates@example.com', password: 'the first password' });
    const status = async () => (await running.send('GET', '/v1/auth/me', { token })).status;
    expect(await tollgate('signing-key rotate')).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^The signing key is \S+, and that of OAuth \S+\. Tokens of earlier keys are good until they expire\.\n$/,
      ),
    });
    expect(await status()).toBe(200);
    expect(await tollgate('signing-key rotate --revoke-now')).toMatchObject({
      code: 0,
      out: expect.stringContaining('refused within a second'),
    });
    await eventually(async () => (await status()) === 401, { withinMs: 1_000 });
    const again = await running.send('POST', '/v1/auth/login', {
      body: { email: 'rotates@example.com', password: 'the first password' },
    });
    expect(again.status).toBe(200);
  });

  it('F137 rotates the operator’s token without a restart: every service takes the new one and no earlier one', async () => {
    const routes = ['/v1/operator/accounts', '/v1/operator/dead-letters'];
    const statuses = (token: string) =>
      Promise.all(routes.map(async (route) => (await running.send('GET', route, { token })).status));
    const rotate = async () => /operator_\S+/.exec((await tollgate('operator-token rotate')).out)?.[0] ?? '';
    const first = await rotate();
    await eventually(async () => (await statuses(first)).every((status) => status === 200), { withinMs: 1_000 });
    const second = await rotate();
    expect(second).not.toBe(first);
    await eventually(async () => (await statuses(first)).every((status) => status === 401), { withinMs: 1_000 });
    expect(await statuses(second)).toEqual([200, 200]);
    const path = '/v1/operator/accounts/01900000-0000-7000-8000-000000000000/suspend';
    const unknown = await running.send('POST', path, { token: second, body: { reason: 'x' } });
    expect(unknown.status).toBe(404); // auth takes it too: there is no such account
    expect((await running.send('POST', path, { token: first, body: { reason: 'x' } })).status).toBe(401);
  });

  it('F151 makes named operator tokens; one is revoked in every service, the others stay, and the list has all', async () => {
    const routes = ['/v1/operator/accounts', '/v1/operator/dead-letters', '/v1/operator/tokens'];
    const statuses = (token: string) =>
      Promise.all(routes.map(async (route) => (await running.send('GET', route, { token })).status));
    const create = async (line: string) =>
      /operator_\S+/.exec((await tollgate(`operator-token create ${line}`)).out)?.[0] ?? '';
    const [report, deploy] = [await create('--name report --expires-in 30'), await create('--name deploy')];
    for (const token of [report, deploy])
      await eventually(async () => isDeepStrictEqual(await statuses(token), [200, 200, 200]), { withinMs: 1_000 });
    const revoked = await tollgate('operator-token revoke report');
    expect(revoked).toMatchObject({ code: 0, out: 'The operator token report is refused within a second.\n' });
    await eventually(async () => isDeepStrictEqual(await statuses(report), [401, 401, 401]), { withinMs: 1_000 });
    expect(await statuses(deploy)).toEqual([200, 200, 200]);
    const { out } = await tollgate('operator-token list');
    expect(out).toMatch(/^default .*\ndeploy {2}created \S+Z\nreport {2}created \S+Z {2}revoked \S+Z\n$/);
    expect(await tollgate('operator-token revoke report')).toMatchObject({ code: 1, out: '' });
    for (const wrong of ['--name report --expires-in 0', '--name Report', '--name deploy'])
      expect(await tollgate(`operator-token create ${wrong}`)).toMatchObject({ code: 1, out: '' });
  });

  it('F166 lets the operator token alone change nothing in any service while there is a second factor', async () => {
    const token = /operator_\S+/.exec((await tollgate('operator-token rotate')).out)?.[0] ?? '';
    const id = '01900000-0000-7000-8000-000000000000';
    const changes: [string, object][] = [
      [`/v1/operator/accounts/${id}/suspend`, { reason: 'x' }], // auth
      [`/v1/operator/invoices/${id}/refunds`, { amount_usd: 1 }], // billing
      ['/v1/operator/dead-letters/usage.events.v1:0:1/replay', {}], // ingest-gateway
    ];
    const outcomes = (headers: Record<string, string> = {}) =>
      Promise.all(
        changes.map(async ([path, body]) => (await running.send('POST', path, { token, body, headers })).body['code']),
      );
    const free = ['not_found', 'not_found', 'not_found'];
    const refused = ['operator_code_required', 'operator_code_required', 'operator_code_required'];
    await eventually(async () => isDeepStrictEqual(await outcomes(), free), { withinMs: 1_000 });
    const { out } = await tollgate('operator-totp enable');
    const app = new TOTP({ secret: Secret.fromBase32(/secret (\S+)/.exec(out)?.[1] ?? '') });
    expect(await outcomes()).toEqual(free); // a secret that nobody has confirmed locks nobody out
    expect(await tollgate('operator-totp confirm 000000x')).toMatchObject({ code: 1 });
    const confirmed = await tollgate(`operator-totp confirm ${app.generate()}`);
    expect(confirmed).toMatchObject({ code: 0, out: expect.stringContaining('The second factor is on') });
    await eventually(async () => isDeepStrictEqual(await outcomes(), refused), { withinMs: 1_000 });
    expect(await outcomes({ 'tollgate-operator-code': 'code_guess' })).toEqual(refused);
    expect((await running.send('GET', '/v1/operator/accounts', { token })).status).toBe(200);
    const next = app.generate({ timestamp: systemClock.now() + 30_000 });
    const given = await running.send('POST', '/v1/operator/code', { token, body: { code: next } });
    expect(given.status).toBe(201);
    expect(await outcomes({ 'tollgate-operator-code': String(given.body['operator_code']) })).toEqual(free);
    expect(await tollgate('operator-totp disable')).toMatchObject({ code: 0 });
    await eventually(async () => isDeepStrictEqual(await outcomes(), free), { withinMs: 1_000 });
    expect(await tollgate('operator-totp disable')).toMatchObject({ code: 1 });
  });

  it('says why a password is refused, and that an account does not exist', async () => {
    const short = await tollgate(`account set-password ${email}`, { input: 'short\n' });
    expect(short).toMatchObject({ code: 1, err: expect.stringMatching(/^tollgate: [^\n]*8[^\n]*\n$/) });
    const unknown = await tollgate('account set-password nobody@example.com', { input: 'long enough it is\n' });
    expect(unknown).toMatchObject({
      code: 1,
      err: 'tollgate: There is no account with the e-mail nobody@example.com.\n',
    });
  });

  it.each([
    ['compares the rollups with the events', 'rebuild-rollups', 'the same, byte for byte'],
    ['checks the ledger', 'ledger check', 'everything agrees'],
    ['reconciles a period', 'reconcile --period 2026-11', '2026-11: everything agrees\n  ✓ events = rollups\n'],
  ])('%s while Tollgate runs', async (_, line, words) => {
    expect(await tollgate(line)).toMatchObject({ code: 0, out: expect.stringContaining(words), err: '' });
  });

  it('follows an event with both sides of its money while Tollgate runs', async () => {
    const builder = await register({ email: 'builder@example.com', password: 'the builder password' });
    const consumer = await register({ email: 'consumer@example.com', password: 'the consumer password' });
    const { send } = running;
    const tool = { slug: 'search', name: 'Search', price: { per_call_usd: '0.0025' } };
    await send('POST', '/v1/tools', { ...builder, body: tool });
    const recorded = await send('POST', '/v1/events', { ...consumer, body: { tool_id: 'search' } });
    const eventId = String(recorded.body['event_id']);
    const traceFor = (viewer: { token: string }) => send('GET', `/v1/events/${eventId}/trace`, viewer);
    await eventually(async () => (await traceFor(consumer)).status === 200, { withinMs: 10_000 });

    const { code, out, err } = await tollgate(`trace ${eventId}`);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^event .*\n {2}accepted .*\n {2}counted .*\n {2}rated .* 0\.0025 USD/);
    expect(out).toMatch(/payment +waiting, for period close .*\n {2}earning +0\.0025 USD and 0 USD fee, expected/);
    const json = await tollgate(`trace ${eventId} --json`);
    const { earning, payout } = (await traceFor(builder)).body;
    expect(JSON.parse(json.out)).toEqual({ ...(await traceFor(consumer)).body, earning, payout });
  });

  it('ends with 1 and names the rows where the ledger differs', async () => {
    const changes = [
      'alter table billing.ledger_account disable trigger user',
      `insert into billing.ledger_account (kind, balance_micros) values ('cash', 7)`,
    ];
    const ended = await onChangedDatabase(changes, (context) => tollgate('ledger check', context));
    const row = expect.stringContaining('account cash of the platform: balance 7');
    expect(ended).toMatchObject({ code: 1, out: '', err: row });
  });

  it('ends with 1 and names the rows where a period does not reconcile, for people and as JSON', async () => {
    const changes = [
      `select usage.ensure_day('2026-11-05')`,
      `insert into usage.rollup values ('00000000-0000-4000-8000-000000000001', 'search', '2026-11-05T00:00:00Z', true, 3, 0)`,
    ];
    const [ended, json] = await onChangedDatabase(changes, (context) =>
      Promise.all([
        tollgate('reconcile --period 2026-11', context),
        tollgate('reconcile --period 2026-11 --json', context),
      ]),
    );
    expect(ended).toMatchObject({ code: 1, out: expect.stringContaining('differs: search by 00000000'), err: '' });
    expect(json.code).toBe(1);
    const report = JSON.parse(json.out) as { steps: { name: string; equal: boolean; differing: number }[] };
    expect(report).toMatchObject({ period: '2026-11', equal: false });
    expect(report.steps.filter(({ equal }) => !equal)).toMatchObject([{ name: 'events_rollups', differing: 1 }]);
  });

  it('works on the data of a Tollgate that does not run, and leaves nothing running', async () => {
    running.service.signal('SIGTERM');
    expect(await running.service.exited).toEqual({ code: 0, signal: null });
    expect(await tollgate('migrate')).toEqual({ code: 0, out: 'The database is up to date.\n', err: '' });
    const line = `account set-password ${email} --data ${running.dataDir}`;
    expect(await tollgate(line, { input: 'the third password\n', env: {} })).toMatchObject({ code: 0, err: '' });
    const next = startStandalone({ dataDir: running.dataDir });
    expect(await signInStatus('the third password', createHttpClient(await next.ready()))).toBe(200);
    await next.destroy();
  });
});

const describeKafka = await describeWithKafka();

describeKafka('tollgate topics', () => {
  it('F21 creates the topics that the services need, and says so', async () => {
    const { address } = await testKafka();
    const env = { KAFKA_BROKERS: address, KAFKA_REPLICATION_FACTOR: '1', USAGE_EVENT_PARTITIONS: '2' };
    const made = await tollgate('topics', { env });
    expect(made).toMatchObject({ code: 0, err: '', out: 'Made usage.events.v1 with 2 partitions.\n' });
    const again = await tollgate('topics', { env });
    expect(again).toMatchObject({ code: 0, err: '', out: 'usage.events.v1 is as it should be.\n' });
  }, 60_000);

  it('says in one line which setting is missing, and that Kafka cannot be reached', async () => {
    expect(await tollgate('topics')).toMatchObject({ code: 1, err: expect.stringContaining('KAFKA_BROKERS') });
    const unreachable = await tollgate('topics', { env: { KAFKA_BROKERS: '127.0.0.1:1' } });
    expect(unreachable).toMatchObject({ code: 1, err: expect.stringMatching(/^tollgate: [^\n]+\n$/) });
  }, 60_000);
});
