import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { chooseDataFolder } from '@tollgate/database/embedded/choose-data-folder';
import { systemClock } from '@tollgate/kernel/clock';
import { startChildService, type ChildService, type ChildServiceOptions } from '@tollgate/testkit/child-service';
import { eventually } from '@tollgate/testkit/eventually';
import { createHttpClient } from '@tollgate/testkit/http-client';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import { listenLocally } from '@tollgate/testkit/listen-locally';
import { ownerUrlOf, withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import {
  buildStandalone,
  readyAt,
  standaloneMain,
  startStandalone,
  type StandaloneProcess,
} from '@tollgate/testkit/standalone-process';

import { makeFolder } from './support/use-standalone.ts';

const describeAsRoot = process.getuid?.() === 0 ? describe : describe.skip;

let folder: string;
let started: ChildService[];
beforeAll(() => buildStandalone(), 120_000);
beforeEach(() => {
  folder = makeFolder();
  started = [];
});
afterEach(async () => {
  await Promise.all(started.map((service) => service.destroy()));
  rmSync(folder, { recursive: true, force: true });
});

function start(options: { args?: string[]; env?: Record<string, string> } = {}): StandaloneProcess {
  const service = startStandalone({ dataDir: join(folder, 'data'), ...options });
  started.push(service);
  return service;
}

function startCommand(options: Omit<ChildServiceOptions, 'command'>): ChildService {
  const service = startChildService({ command: process.execPath, ...options });
  started.push(service);
  return service;
}

function requirePid(pid: number | undefined): number {
  if (pid === undefined) throw new Error('no PostgreSQL runs on the data folder');
  return pid;
}

const credentials = { email: 'kept@example.com', password: 'correct horse battery' };

async function statusOf(baseUrl: string, path: 'login' | 'register'): Promise<number> {
  return (await createHttpClient({ baseUrl })('POST', `/v1/auth/${path}`, { body: credentials })).status;
}

/** Undefined also while PostgreSQL writes the file: as a process id, 0 would be this test's own process group. */
function postgresPid(dataDir: string): number | undefined {
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  const [, pid] = (existsSync(file) ? /^([1-9]\d*)\n/.exec(readFileSync(file, 'utf8')) : null) ?? [];
  return pid === undefined ? undefined : Number(pid);
}

function shownSeconds(service: ChildService): number {
  return Number(/ready: .+ \(in ([\d.]+) s\)/.exec(service.output())?.[1]);
}

describe('standalone', () => {
  it('serves all parts under one base URL, and its three lines work as pasted', async () => {
    const [metricsPort] = await findFreePorts(1);
    const service = start({ env: { METRICS_PORT: String(metricsPort) } });
    const { baseUrl } = await service.ready();
    expect((await createHttpClient({ baseUrl })('GET', '/readyz')).body).toEqual({ status: 'ok' });
    const inside = createHttpClient({ baseUrl: `http://127.0.0.1:${metricsPort}` });
    const readiness = await inside<{ checks: Record<string, string> }>('GET', '/readyz');
    expect(readiness.status).toBe(200);
    for (const part of ['passes', 'budgets', 'credit_limits'])
      expect(readiness.body.checks).toHaveProperty([`ingest-gateway.${part}`], 'ok');
    expect(new Set(Object.values(readiness.body.checks))).toEqual(new Set(['ok']));

    await service.line(/Ctrl-C/, { withinMs: 5_000 });
    const lines = service
      .output()
      .split('\n')
      .filter((line) => line.includes('curl '));
    expect(lines).toHaveLength(3);
    const shell = spawnSync('/bin/sh', ['-c', `set -eu\n${lines.join('\n')}`], { encoding: 'utf8' });
    expect(shell.stderr).toBe('');
    const [tool, event] = shell.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(tool).toMatchObject({ slug: expect.stringMatching(/^hello-\d+$/), archived: false });
    expect(event).toMatchObject({ tool_id: tool?.['slug'], status: 'recorded' });
  });

  it('listens to PostgreSQL on one connection for all services', async () => {
    await start().ready();
    const listening = await withOracleDatabase(ownerUrlOf(join(folder, 'data')), (database) =>
      database.query("select from pg_stat_activity where application_name = 'notifications'"),
    );
    expect(listening.rows).toHaveLength(1);
  });

  it('says what it does while a start is slow', async () => {
    const service = start();
    const dataDir = join(folder, 'data');
    await eventually(() => postgresPid(dataDir) !== undefined, { withinMs: 60_000, everyMs: 5 });
    const pid = requirePid(postgresPid(dataDir));
    process.kill(pid, 'SIGSTOP'); // until it goes on, the start cannot end
    try {
      await service.line(/(Starting Tollgate: \w.+, \d+ s\n[^]*){2}/, { withinMs: 30_000 });
      expect(service.output()).not.toContain('ready');
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await service.ready();
  });

  it('says what it does while it loads its modules, which keeps the main thread busy', async () => {
    const gate = join(folder, 'gate');
    expect(spawnSync('mkfifo', [gate]).status).toBe(0);
    // The first module that requires another one waits, with the whole thread, until the test opens the gate.
    const waits = `const { Module } = require('node:module');
      const { _load: load } = Module;
      Module._load = (...args) => {
        Module._load = load;
        require('node:fs').readFileSync(${JSON.stringify(gate)});
        return load(...args);
      };`;
    writeFileSync(join(folder, 'waits.cjs'), `if (require('node:worker_threads').isMainThread) {${waits}}`);
    const service = start({ env: { NODE_OPTIONS: `--require=${join(folder, 'waits.cjs')}` } });
    await service.line(/Starting Tollgate: loading its modules/, { withinMs: 30_000 });
    const loadingMs = systemClock.monotonicMs();
    await service.line(/(Starting Tollgate: loading its modules, \d+ s\n){2}/, { withinMs: 30_000 });
    const waitedMs = systemClock.monotonicMs() - loadingMs;
    writeFileSync(gate, '');
    await service.ready();
    expect(shownSeconds(service)).toBeGreaterThan(waitedMs / 1_000 - 0.1);
    await service.line(/Ctrl-C/, { withinMs: 5_000 });
    expect(service.output().slice(service.output().indexOf('ready'))).not.toContain('Starting');
  });

  it('continues with the same data after a kill -9 of Node alone', async () => {
    const first = start();
    const { baseUrl, dataDir } = await first.ready();
    expect(await statusOf(baseUrl, 'register')).toBe(201);
    first.signal('SIGKILL');
    await first.exited;
    const leftover = postgresPid(dataDir);
    expect(leftover).toBeDefined();
    const second = start({ env: { LOG_LEVEL: 'info' } });
    const again = await second.ready();
    expect(second.output()).toContain('stopping the PostgreSQL that a killed Tollgate left behind');
    expect(postgresPid(dataDir)).not.toBe(leftover);
    expect(await statusOf(again.baseUrl, 'login')).toBe(200);
  });

  it('says so and ends with 1 when its PostgreSQL is gone, since a live process that does nothing is worse', async () => {
    const service = start();
    const { dataDir } = await service.ready();
    process.kill(requirePid(postgresPid(dataDir)), 'SIGKILL');
    expect((await service.exited).code).toBe(1);
    expect(service.output()).toContain('the embedded PostgreSQL has ended unexpectedly');
  });

  it('says in one line that its port is in use', async () => {
    const taken = createServer();
    const port = await listenLocally(taken);
    const service = start({ args: ['--port', String(port)] });
    expect((await service.exited).code).toBe(1);
    expect(service.output().replace(/^Starting Tollgate: .*\n/gm, '')).toBe(
      `tollgate: port 127.0.0.1:${port} is in use; stop the program that listens there, or choose another port with --port (0 takes a free port)\n`,
    );
    expect(existsSync(join(folder, 'data', 'postgres'))).toBe(false); // said before a database was made
    taken.close();
  });

  it('takes flags from the environment too, and a flag wins', async () => {
    const elsewhere = join(folder, 'elsewhere');
    const env = { PORT: '1', HOST: '127.0.0.1', DATA_DIR: elsewhere };
    const service = startCommand({ args: [standaloneMain, '--port', '0'], env, dataDir: elsewhere });
    const { baseUrl, dataDir } = await readyAt(service);
    expect(baseUrl).not.toBe('http://127.0.0.1:1');
    expect(dataDir).toBe(elsewhere);
  });

  it('stops when the package runner that started it is gone', async () => {
    const runner = join(folder, 'pnpm');
    writeFileSync(
      runner,
      `require('node:child_process').spawn(process.execPath, [${JSON.stringify(standaloneMain)}, '--port', '0', '--data', ${JSON.stringify(join(folder, 'data'))}], { stdio: 'inherit', detached: true })`,
    );
    const service = startCommand({ args: [runner], dataDir: join(folder, 'data') });
    const { baseUrl, dataDir } = await readyAt(service);
    service.signal('SIGKILL');
    await service.exited;
    await eventually(async () => !(await isServing(baseUrl)), { withinMs: 10_000 });
    await eventually(() => postgresPid(dataDir) === undefined, { withinMs: 10_000 });
  });
});

describeAsRoot('standalone, as root, in a folder that the user who runs PostgreSQL cannot enter', () => {
  it('starts in a 0700 folder, and puts the data where PostgreSQL can reach it', async () => {
    const closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const expected = chooseDataFolder(undefined, join(closed, '.tollgate'));
    const service = startCommand({ args: [standaloneMain, '--port', '0'], cwd: closed, dataDir: expected });
    const { baseUrl, dataDir } = await readyAt(service);
    expect(dataDir).toMatch(/^\/var\/lib\/tollgate\/[0-9a-f]{12}$/);
    expect(dataDir).toBe(expected);
    expect(await isServing(baseUrl)).toBe(true);
    service.signal('SIGTERM');
    expect((await service.exited).code).toBe(0);
    expect(service.output()).toContain(`Tollgate has stopped. Its data is kept in ${dataDir}\n`);
    rmSync(dataDir, { recursive: true });
  });
});

async function isServing(baseUrl: string): Promise<boolean> {
  return createHttpClient({ baseUrl })('GET', '/livez').then(
    (answer) => answer.status === 200,
    () => false,
  );
}
