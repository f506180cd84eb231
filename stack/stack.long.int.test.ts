import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startChildService, type ChildService } from '@tollgate/testkit/child-service';
import { readerIdOf } from '@tollgate/event-log/kafka/leave-for-dead';
import { eventually } from '@tollgate/testkit/eventually';
import { createHttpClient, type HttpClient } from '@tollgate/testkit/http-client';
import { readTopic } from '@tollgate/testkit/kafka/read-topic';
import { openKafkaLog } from '@tollgate/testkit/oracles/kafka-log';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';
import { buildStandalone, standaloneCli } from '@tollgate/testkit/standalone-process';
import { refuseLackingMachine, type StackPart } from './start-stack.ts';

interface Addresses {
  readonly base_url: string;
  readonly parts: readonly StackPart[];
}

const program = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const nodeArgs = ['--conditions=@tollgate/source', '--disable-warning=ExperimentalWarning'];
const startPatience = { withinMs: 120_000 };
const describeStack = await describeWhere('pnpm stack', refuseLackingMachine);

/** The parts that the test kills, with their logs. */
const endings = [
  ['aggregator-2', 'aggregator-2.log'],
  ['Redis', 'redis.log'],
  ['kafka-1', 'kafka-1.log'],
  ['PostgreSQL', 'postgres.log'],
] as const;

let folder: string;
/** The stack's folder for temporary files. */
let temporary: string;
const started: ChildService[] = [];
beforeAll(async () => {
  await buildStandalone();
  folder = mkdtempSync(join(tmpdir(), 'tollgate-stack-test-'));
  temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  for (const through of [folder, temporary]) chmodSync(through, 0o711); // root's PostgreSQL runs as another user
}, 120_000);
afterAll(async () => {
  for (const stack of started) await stack.destroy();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a stack; with `runner`, by a process of that name which waits for it, as package managers do. */
function stack(args: readonly string[], env: Readonly<Record<string, string>> = {}, runner?: string): ChildService {
  const { XDG_CACHE_HOME = join(homedir(), '.cache') } = process.env; // has Kafka since the first run
  const words = [...nodeArgs, program('main.ts'), ...args];
  if (runner !== undefined) {
    const spawned = `require('node:child_process').spawn(process.execPath, process.argv.slice(2), { stdio: 'inherit' })`;
    writeFileSync(join(folder, runner), spawned);
    words.unshift(join(folder, runner));
  }
  const command = { command: process.execPath, args: words };
  const child = startChildService({ ...command, env: { TMPDIR: temporary, XDG_CACHE_HOME, HOME: homedir(), ...env } });
  started.push(child);
  return child;
}

async function addressesOf(running: ChildService): Promise<Addresses> {
  const [, file = ''] = await running.line(/^Addresses: +(.+)$/m, startPatience);
  return JSON.parse(readFileSync(file, 'utf8')) as Addresses; // written by the stack
}

async function end(running: ChildService): Promise<void> {
  const endings = running.output().split('is started again').length;
  running.signal('SIGINT');
  expect(await running.exited).toMatchObject({ code: 0 });
  expect(running.output().split('is started again')).toHaveLength(endings); // nothing ended before its turn
}

describeStack('pnpm stack', () => {
  it('counts events of two gateways once, keeps --data, and stops everything that it started', async () => {
    const args = ['--port', '0', '--data', join(folder, 'kept')];
    const first = stack(args);
    const { base_url: baseUrl, parts } = await addressesOf(first);
    expect(parts.map(({ name }) => name).toSorted()).toEqual(
      ['PostgreSQL', 'Redis', 'aggregator-1', 'aggregator-2', 'auth', 'billing', 'notifier']
        .concat(['ingest-gateway-1', 'ingest-gateway-2', 'kafka-1'])
        .toSorted(),
    );
    const token = await tour(createHttpClient({ baseUrl }));
    const records = await readTopic(addressOf(parts, 'kafka-1'), 'usage.events.v1');
    expect(new Set(records.map((record) => (JSON.parse(record) as { event_id: string }).event_id)).size).toBe(5);
    const gateways = parts.filter(({ name }) => name.startsWith('ingest-gateway'));
    const areSharing = async () => (await Promise.all(gateways.map(metricsOf))).every((text) => isSharing.test(text));
    await eventually(areSharing, { withinMs: 10_000 });
    const areRecording = gateways.map(async (part) =>
      /_events_total\{.*"recorded".*\} [1-9]/.test(await metricsOf(part)),
    );
    expect(await Promise.all(areRecording)).toEqual([true, true]);
    const pages = (await Promise.all(parts.map(metricsOf))).join('\n');
    expect(shownMetrics().filter((name) => !pages.includes(`# TYPE ${name} `))).toEqual([]);
    expect(pages.match(/^# TYPE (?!tollgate_|process_|nodejs_).*/gm)).toBeNull();
    await end(first);
    expect(parts.filter(({ pid }) => isAlive(pid))).toEqual([]);
    await expect(fetch(baseUrl)).rejects.toThrow('fetch failed');

    const second = stack(args);
    const again = await addressesOf(second);
    expect(await callsOf(createHttpClient({ baseUrl: again.base_url }), token)).toBe(5);
    const status = [standaloneCli, 'status', '--data', join(folder, 'kept')];
    const withPath = { env: { PATH: process.env['PATH'] } };
    const { stdout } = await promisify(execFile)(process.execPath, status, withPath).catch(
      (error: { readonly stdout: string }) => error, // exit code 1: something needs the operator
    );
    expect(stdout).toContain(`at ${again.base_url}: ready.`);
    await end(second);
    expect(second.output()).not.toContain('Warning');
    expect(readdirSync(join(folder, 'kept')).filter((name) => /^address|partial$/.test(name))).toEqual([]);
  }, 300_000);

  it('ends with the package runner that started it, however that ended', async () => {
    const runner = stack(['--port', '0', '--gateways', '1', '--aggregators', '1'], {}, 'pnpm.cjs');
    const { parts } = await addressesOf(runner);
    runner.signal('SIGKILL'); // the runner alone
    await eventually(() => !parts.some(({ pid }) => isAlive(pid)), startPatience);
    expect(runner.output()).toContain('Stopping all of it');
    await eventually(() => readdirSync(temporary).length === 0, startPatience);
  }, 300_000);

  it('plays the demo to the micro-dollar, starts again each part that ends, and leaves no files', async () => {
    const operatorToken = randomUUID();
    const env = { OPERATOR_TOKEN: operatorToken, SANDBOX_CLOCK_START: '2023-11-16T18:15:00Z' };
    const running = stack(['--port', '0', '--gateways', '2', '--aggregators', '2'], env);
    const { base_url: baseUrl, parts } = await addressesOf(running);
    const demo = [...nodeArgs, program('../demo/main.ts'), '--json', '--base-url', baseUrl, '--pdf', folder];
    const demoEnv = { PATH: process.env['PATH'], OPERATOR_TOKEN: operatorToken };
    const { stdout } = await promisify(execFile)(process.execPath, demo, { env: demoEnv });
    const fromFiles = await promisify(execFile)(process.execPath, [
      program('../examples/azure-llm-2023/compute-invoices.mjs'),
    ]);
    const { events, invoices, balances, payout } = JSON.parse(fromFiles.stdout) as Record<string, object[]>;
    expect(JSON.parse(stdout)).toMatchObject({ events, invoices, balances, payout, reconcile: { equal: true } });

    const kafkaLog = await openKafkaLog(addressOf(parts, 'kafka-1'), 'usage.events.v1');
    for (const [name, log] of endings) {
      const { pid = 0 } = parts.find((part) => part.name === name) ?? {};
      process.kill(pid, 'SIGKILL');
      const words = new RegExp(`stack: ${name} \\(${pid}\\) has ended, and is started again; its log: (.+/${log})`);
      const [, logFile = ''] = await running.line(words, { withinMs: 5_000 });
      expect(existsSync(logFile)).toBe(true);
      // Its supervisor has left for it. By itself the group would wait for ten seconds.
      const isOut = async () => !(await kafkaLog.membersOf('aggregator')).some((id) => id.startsWith(readerIdOf(pid)));
      if (name === 'aggregator-2') await eventually(isOut, { withinMs: 3_000 });
      await running.line(new RegExp(`stack: ${name} runs again \\((?!${pid}\\))\\d+\\)`), startPatience);
    }
    await eventually(() => countsAgain(createHttpClient({ baseUrl })), startPatience);
    await kafkaLog.close();
    await end(running);
    expect(readdirSync(temporary)).toEqual([]);
  }, 600_000);
});

describe('pnpm stack, from the command line', () => {
  it.each([
    [['--help'], 0, /Usage: pnpm stack/],
    [['--gatewys', '3'], 2, /unknown option '--gatewys'/],
    [['--gateways', '0'], 2, /a number from 1 to 99/],
  ])('explains itself: %j', async (args, code, words) => {
    const run = stack(args);
    expect(await run.exited).toMatchObject({ code });
    await run.line(words, { withinMs: 1_000 });
  });

  it('names everything that the machine lacks, and creates nothing', async () => {
    const dataDir = join(folder, 'never');
    const run = stack(['--data', dataDir], { PATH: temporary });
    expect(await run.exited).toMatchObject({ code: 1 });
    expect(run.output()).toMatch(/Kafka needs Java 17 or newer; found: none\n +Redis: there is no redis-server/);
    expect(existsSync(dataDir)).toBe(false);
  });
});

function isAlive(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The metrics that the dashboard and the alert rules use, without the suffixes of histograms. */
function shownMetrics(): string[] {
  const files = ['grafana/dashboards/tollgate.json', 'rules.yml'];
  const text = files.map((file) => readFileSync(program(`../deploy/observability/${file}`), 'utf8')).join('\n');
  const names = text.match(/\b(?:tollgate|process)_\w+/g) ?? [];
  expect(names.length).toBeGreaterThan(20);
  return names.map((name) => name.replace(/_(?:bucket|count)$/, ''));
}

/** True of a gateway that shares limits and replies by Redis. */
const isSharing = /^tollgate_gateway_redis_up\{.*\} 1$/m;

async function metricsOf({ metrics }: StackPart): Promise<string> {
  return metrics === undefined ? '' : (await fetch(metrics)).text();
}

function addressOf(parts: readonly StackPart[], wanted: string): string {
  return parts.find(({ name }) => name === wanted)?.address ?? '';
}

/** Goes from registration to usage and returns the consumer's token. One event is sent four times and counts once. */
async function tour(client: HttpClient): Promise<string> {
  const [builder, consumer] = [await register(client, 'builder'), await register(client, 'consumer')];
  const price = { per_call_usd: '0.002' };
  const tool = await client('POST', '/v1/tools', { token: builder, body: { slug: 'echo', name: 'Echo', price } });
  expect(tool.status).toBe(201);
  const keyed = { tool_id: 'echo', idempotency_key: 'call-1' };
  for (let sent = 0; sent < 4; sent += 1) {
    expect((await client('POST', '/v1/events', { token: consumer, body: keyed })).status).toBe(201); // to each gateway in turn
  }
  for (let sent = 0; sent < 2; sent += 1) {
    const events = [{ tool_id: 'echo' }, { tool_id: 'echo', duration_ms: 3 }];
    expect((await client('POST', '/v1/events/batch', { token: consumer, body: { events } })).body).toMatchObject({
      recorded: 2,
    });
  }
  await eventually(async () => (await callsOf(client, consumer)) === 5, { withinMs: 30_000 });
  return consumer;
}

/** Whether a new account's event is counted. */
async function countsAgain(client: HttpClient): Promise<boolean> {
  const slug = randomUUID();
  const token = await register(client, slug);
  const body = { slug, name: 'Again', price: { per_call_usd: '0.002' } };
  expect((await client('POST', '/v1/tools', { token, body })).status).toBe(201);
  expect((await client('POST', '/v1/events', { token, body: { tool_id: slug } })).status).toBe(201);
  return eventually(async () => (await callsOf(client, token)) === 1, { withinMs: 60_000 });
}

async function callsOf(client: HttpClient, token: string): Promise<number> {
  const { body } = await client<{ totals: { calls: number } }>('GET', '/v1/usage', { token });
  return body.totals.calls;
}

async function register(client: HttpClient, name: string): Promise<string> {
  const body = { email: `${name}@example.com`, password: 'correct horse battery' };
  const answer = await client<{ access_token: string }>('POST', '/v1/auth/register', { body });
  expect(answer.status).toBe(201);
  return answer.body.access_token;
}
