import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { startChildService, type ChildService } from '@tollgate/testkit/child-service';
import { busyMs, eventually } from '@tollgate/testkit/eventually';
import { readyAt } from '@tollgate/testkit/standalone-process';
import { buildPackage, npm, packPackage } from '../../tools/release/pack-package.ts';
import { itWith, openFolder } from '../it-with.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const programsOf = (page: string): string[] => [...page.matchAll(/```js\n(.*?)```/gs)].map(([, text = '']) => text);
const password = 'correct horse battery';

interface Stranger {
  readonly folder: string;
  start(): Promise<number>;
  stop(): Promise<void>;
  /** Runs `tollgate …` with this text at standard input. */
  tollgate(args: readonly string[], input?: string): Promise<{ code: number; stdout: string; stderr: string }>;
  /** Starts `tollgate …`, which says on standard error when it waits. */
  follow(args: readonly string[]): { readonly waits: Promise<unknown>; readonly output: Promise<string> };
  /** Runs lines of a shell, where `npx tollgate` is the installed one. */
  paste(lines: string, input: string): Promise<string>;
  run(program: string, more?: Readonly<Record<string, string>>): Promise<string>;
}

/** An MCP server that knows nothing of Tollgate. */
const weatherServer = `
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
const server = new McpServer({ name: 'weather', version: '1' });
server.registerTool('weather', {}, () => ({ content: [{ type: 'text', text: '12 degrees' }] }));
await server.connect(new StdioServerTransport());`;

/** Starts the server of the settings, as an MCP client does, and calls its tool. */
const weatherClient = (settings: string): string => `
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
const { command, args } = (${settings}).mcpServers.weather;
const env = Object.fromEntries(['PATH', 'HOME', 'TOLLGATE_URL', 'TOLLGATE_API_KEY', 'TOLLGATE_KEY'].map((name) => [name, process.env[name]]));
const client = new Client({ name: 'agent', version: '1' });
await client.connect(new StdioClientTransport({ command, args, env, stderr: 'inherit' }));
console.log((await client.callTool({ name: 'weather', arguments: {} })).content[0].text);
await client.close();`;

describe('a stranger with Node, npm and an empty folder', () => {
  const it = itWith(async (undo): Promise<Stranger> => {
    const lives: ChildService[] = [];
    const folder = openFolder('stranger', undo, () => lives.map((life) => life.output()).join('\n'));
    undo(() => Promise.all(lives.map((life) => life.destroy())));
    const packed = join(folder, 'packed');
    mkdirSync(packed);
    buildPackage('packages/cli');
    const tarballs = ['packages/cli', 'packages/mcp', 'packages/sdk'].map((path) => packPackage(path, packed));
    writeFileSync(join(folder, 'package.json'), '{ "name": "stranger", "private": true, "type": "module" }');
    npm(folder, ['install', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs]);

    const main = join(folder, 'node_modules/tollgate/dist/main.js');
    const dataDir = join(folder, 'data');
    let env: Record<string, string> = { XDG_CONFIG_HOME: join(folder, 'settings'), HOME: folder };
    return {
      folder,
      async start() {
        const args = [main, 'start', '--port', '0', '--data', dataDir];
        const startedMs = systemClock.monotonicMs();
        const life = startChildService({ command: process.execPath, args, cwd: folder, dataDir });
        lives.push(life);
        env = { ...env, TOLLGATE_URL: (await readyAt(life)).baseUrl };
        return systemClock.monotonicMs() - startedMs;
      },
      async stop() {
        lives.at(-1)?.signal('SIGTERM');
        await lives.at(-1)?.exited;
      },
      tollgate: (args, input = '') => execute([main, ...args], input),
      follow(args) {
        const running = promisify(execFile)(process.execPath, [main, ...args], { cwd: folder, env });
        const { stderr } = running.child;
        const waits = stderr === null ? Promise.reject(new Error('no standard error')) : once(stderr, 'data');
        return { waits, output: running.then(({ stdout }) => stdout) };
      },
      async paste(lines, input) {
        const shell = { cwd: folder, env: { ...env, PATH: process.env['PATH'] } };
        const running = promisify(execFile)('sh', ['-ec', lines], shell);
        running.child.stdin?.end(input);
        return (await running).stdout;
      },
      async run(program, more = {}) {
        const { stdout: key } = await execute([main, 'keys', 'create', 'program', '--json'], '');
        env = { ...env, TOLLGATE_API_KEY: (JSON.parse(key) as { key: string }).key };
        writeFileSync(join(folder, 'program.js'), program);
        const { code, stdout, stderr } = await execute(['program.js'], '', more);
        const { TOLLGATE_API_KEY: _key, ...others } = env;
        env = others;
        if (code !== 0) throw new Error(stderr);
        return stdout;
      },
    };

    async function execute(args: readonly string[], input: string, more: Readonly<Record<string, string>> = {}) {
      const running = promisify(execFile)(process.execPath, args, { cwd: folder, env: { ...env, ...more } });
      running.child.stdin?.end(input);
      return running.then(
        (done) => ({ code: 0, ...done }),
        (error: { code: number; stdout: string; stderr: string }) => error,
      );
    }
  }, 400_000);

  it('starts the whole service from the packed package, which takes at most 250 MB, and again without a download', async (stranger) => {
    const { stdout } = await promisify(execFile)('du', ['-sm', join(stranger.folder, 'node_modules')]);
    expect(Number.parseInt(stdout, 10)).toBeLessThanOrEqual(250);
    const firstMs = await stranger.start();
    await stranger.stop();
    const secondMs = await stranger.start();
    process.stderr.write(
      `stranger: ${JSON.stringify({ megabytes: Number.parseInt(stdout, 10), firstMs, secondMs })}\n`,
    );
    expect(firstMs).toBeLessThan(10_000 + 3 * busyMs); // nothing of it is in the disk's cache
    expect(secondMs).toBeLessThan(5_000 + busyMs);
  }, 120_000);

  it('signs in by the lines of the command line’s README, and keeps a session that nobody else can read', async (stranger) => {
    const { tollgate, folder, paste } = stranger;
    expect(await tollgate(['whoami'])).toMatchObject({ code: 3, stderr: expect.stringContaining('tollgate login') });
    const [, lines = ''] = /```sh\n(.*?)```/s.exec(read('packages/cli/README.md')) ?? [];
    const [start = '', ...others] = lines.split('\n');
    expect(start).toMatch(/^npx tollgate start & +#/); // runs already, on a port of its own
    const pasted = await paste(others.join('\n'), `me@example.com\n${password}\n`);
    expect(pasted).toMatch(/^You are signed in at .* as me@example.com.\n.*web-search.*\nkey +\S+\n.*counted through/s);
    expect(statSync(join(folder, 'settings/tollgate/session.json')).mode & 0o777).toBe(0o600);
    const { stdout } = await tollgate(['whoami', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ email: 'me@example.com' });
  });

  it('runs the ten lines of the SDK’s README as they stand there', async ({ run }) => {
    const [program = ''] = programsOf(read('packages/sdk/README.md'));
    expect(program.trim().split('\n').length).toBeLessThanOrEqual(10);
    expect(await run(program)).toMatch(/^slug_taken\nsent 1 event, [0-9a-f-]{36}\n$/);
  });

  it('runs the programs of docs/sdk.md as they stand there', async ({ run }) => {
    const outputs: string[] = [];
    for (const program of programsOf(read('docs/sdk.md'))) outputs.push(await run(program));
    expect(outputs).toEqual([
      'registered translate\n',
      'left in the spool: 0\n',
      'counted: 3 calls\ntool: translate\ntool: web-search\n',
    ]);
  });

  it('sees tools, usage, events, invoices, payouts and the spool, as tables and as JSON', async ({ tollgate }) => {
    const table = async (...args: string[]): Promise<string> => (await tollgate(args)).stdout;
    expect(await table('tools')).toMatch(/^slug +name +archived +created_at\ntranslate /);
    expect(await table('usage')).toMatch(/\ntranslate +3 +0 +\d+ +0(\.\d+)?\n/);
    expect(await table('events')).toContain('web-search');
    expect(JSON.parse(await table('invoices', '--json'))).toEqual([]);
    expect(JSON.parse(await table('payouts', '--json'))).toEqual([]);
    expect(JSON.parse(await table('spool', 'status', 'spool', '--json'))).toMatchObject({ queued: 0 });
    expect(await table('doctor', '--spool', 'spool')).toMatch(
      /service +ok.*\ncredential +ok.*\nclock +ok.*\nspool +ok/,
    );
    expect(await table('operator', '--help')).toContain('Usage: tollgate operator');
  });

  it('sees usage as a chart and as CSV', async ({ tollgate }) => {
    const { stdout: chart } = await tollgate(['usage', '--granularity', 'hour']);
    expect(chart).toMatch(/\ntranslate +[▁▂▃▄▅▆▇█]+\nweb-search +[▁▂▃▄▅▆▇█]+\n/);
    const { stdout: csv } = await tollgate(['usage', '--csv']);
    expect(csv).toMatch(
      /^tool_id,calls,failures,duration_ms,charge_usd\r\ntranslate,3,0,\d+,0.*\r\nweb-search,1,0,120,0/,
    );
  });

  it('prints an event while it is counted, and none that was there before', async ({ tollgate, follow, run }) => {
    const tail = follow(['events', 'tail', '--json', '--count', '1']);
    await tail.waits; // what was there before is known from here on
    const [program = ''] = programsOf(read('packages/sdk/README.md'));
    const key = /^slug_taken\nsent 1 event, (\S+)\n$/.exec(await run(program))?.[1];
    const lines = (await tail.output).trim().split('\n');
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([{ idempotency_key: key }]);
    expect(await tollgate(['events', 'list', '--role', 'nobody'])).toMatchObject({ code: 2 });
  });

  it('meters an MCP server that nobody can change by the settings of docs/mcp.md', async ({
    folder,
    tollgate,
    run,
  }) => {
    await tollgate(['tools', 'create', 'weather', '--per-call', '0.002']);
    const { stdout: pass } = await tollgate(['passes', 'create', 'agent', '--tool', 'weather', '--json']);
    const { key } = JSON.parse(pass) as { key: string };
    writeFileSync(join(folder, 'server.js'), weatherServer);
    const [, settings = ''] = /```json\n(\{\n {2}"mcpServers".*?)```/s.exec(read('docs/mcp.md')) ?? [];
    const asked = run(weatherClient(settings), { TOLLGATE_KEY: key, PATH: process.env['PATH'] ?? '' });
    expect(await asked).toBe('12 degrees\n');
    const isCounted = async () => (await tollgate(['usage'])).stdout.includes('\nweather ');
    await eventually(isCounted, { withinMs: 10_000, everyMs: 500 });
  });

  it('exits by codes that a script can read', async ({ tollgate }) => {
    expect(await tollgate(['nonsense'])).toMatchObject({ code: 2 });
    expect(await tollgate(['tools', 'get', 'absent'])).toMatchObject({ code: 1 });
    expect(await tollgate(['whoami', '--url', 'http://127.0.0.1:9'])).toMatchObject({ code: 4 });
    expect(await tollgate(['logout'])).toMatchObject({ code: 0 });
    expect(await tollgate(['whoami'])).toMatchObject({ code: 3 });
  });

  it('signs in by an API key, which it checks before it keeps it', async ({ tollgate, folder }) => {
    await tollgate(['login', '--email', 'me@example.com'], `${password}\n`);
    const { stdout: key } = await tollgate(['keys', 'create', 'machine', '--key-only']);
    await tollgate(['logout']);
    expect(await tollgate(['login', '--api-key'], 'tg_live_nobody\n')).toMatchObject({ code: 3 });
    expect(await tollgate(['whoami'])).toMatchObject({ code: 3 });
    expect(await tollgate(['login', '--api-key'], key)).toMatchObject({ code: 0 });
    expect(await tollgate(['whoami'])).toMatchObject({ code: 0 });
    expect(statSync(join(folder, 'settings/tollgate/session.json')).mode & 0o777).toBe(0o600);
    expect(await tollgate(['logout'])).toMatchObject({ code: 0 });
  });
});
