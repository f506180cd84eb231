import { execFile } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect } from '@jest/globals';
import { keyMeta } from '@tollgate/mcp';
import { startChildService } from '@tollgate/testkit/child-service';
import { busyMs, eventually } from '@tollgate/testkit/eventually';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import { itWith } from '../it-with.ts';
import { openStranger, programsOf, readPage, type Stranger } from './open-stranger.ts';

const password = 'correct horse battery';
const fiveMinutesMs = 300_000;

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

/** Pastes a README's MCP server. Returns how an agent starts it and calls its tool with a pass. */
async function pasteServer({ pasteReadme }: Stranger, page: string): Promise<(pass: string) => Promise<void>> {
  const { folder, name, text, env } = await pasteReadme(page);
  expect(linesOfCode(text)).toBeLessThanOrEqual(10);
  return async (pass) => {
    const client = new Client({ name: 'agent', version: '1' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [name], cwd: folder, env }));
    const call = { name: 'weather', arguments: {}, _meta: { [keyMeta]: pass } };
    const { content } = await client.callTool(call);
    await client.close();
    expect(content).toMatchObject([{ text: '12 degrees' }]);
  };
}

const linesOfCode = (program: string): number => program.split('\n').filter((line) => line.trim() !== '').length;

interface PaidTool {
  /** At 0.002 USD per call. */
  readonly tool: string;
  readonly call: (pass: string) => Promise<void>;
}

/** Calls a tool once, with a pass that the consumer makes for it. The builder must earn its price, and nothing else. */
async function expectPaid({ tollgate, consumerTollgate }: Stranger, { tool, call }: PaidTool): Promise<void> {
  const earned = async (): Promise<{ calls: number; micros: number }> => {
    const { stdout } = await tollgate(['usage', '--role', 'builder', '--json']);
    const rows = JSON.parse(stdout) as { tool_id: string; calls: number; earning_usd: number }[];
    const { calls = 0, earning_usd: usd = 0 } = rows.find(({ tool_id: slug }) => slug === tool) ?? {};
    return { calls, micros: Math.round(usd * 1e6) };
  };
  const { stdout: pass } = await consumerTollgate(['passes', 'create', 'agent', '--tool', tool, '--key-only']);
  const before = await earned();
  await call(pass.trim());
  const paid = { calls: before.calls + 1, micros: before.micros + 2_000 };
  const isPaid = async (): Promise<true> => {
    expect(await earned()).toEqual(paid);
    return true;
  };
  await eventually(isPaid, { withinMs: 10_000, everyMs: 500 });
}

/** How many processes wait for each processor: on a machine that others use, everything takes that many times longer. */
const crowd = (): number => Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());

describe('a stranger with Node, npm and an empty folder', () => {
  const it = itWith(openStranger, 400_000);

  it('starts the whole service from the packed package, which takes at most 250 MB, and again without a network', async (stranger) => {
    const { stdout } = await promisify(execFile)('du', ['-sm', join(stranger.folder, 'node_modules')]);
    expect(Number.parseInt(stdout, 10)).toBeLessThanOrEqual(250);
    const firstMs = await stranger.start();
    await stranger.stop();
    const secondMs = await stranger.start('offline');
    await stranger.stop();
    await stranger.start();
    process.stderr.write(
      `stranger: ${JSON.stringify({ megabytes: Number.parseInt(stdout, 10), firstMs, secondMs })}\n`,
    );
    expect(firstMs).toBeLessThan((10_000 + 3 * busyMs) * crowd()); // nothing of it is in the disk's cache
    expect(secondMs).toBeLessThan((5_000 + busyMs) * crowd());
  }, 300_000);

  it('signs in by the lines of the command line’s README, and keeps a session that nobody else can read', async (stranger) => {
    const { tollgate, folder, paste } = stranger;
    expect(await tollgate(['whoami'])).toMatchObject({ code: 3, stderr: expect.stringContaining('tollgate login') });
    const [, lines = ''] = /```sh\n(.*?)```/s.exec(readPage('packages/cli/README.md')) ?? [];
    const [start = '', ...others] = lines.split('\n');
    expect(start).toMatch(/^npx tollgate start & +#/); // runs already, on a port of its own
    const pasted = await paste(others.join('\n'), `me@example.com\n${password}\n`);
    expect(pasted).toMatch(/^You are signed in at .* as me@example.com.\n.*web-search.*\nkey +\S+\n.*counted through/s);
    expect(statSync(join(folder, 'settings/tollgate/session.json')).mode & 0o777).toBe(0o600);
    const { stdout } = await tollgate(['whoami', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ email: 'me@example.com' });
  });

  it('has a consumer, whose pass pays for a call of the README’s MCP server within five minutes of the install', async (stranger) => {
    const credentials = ['--register', '--email', 'consumer@example.com'];
    const signedIn = await stranger.consumerTollgate(['login', ...credentials], `${password}\n`);
    expect(signedIn).toMatchObject({ code: 0 });
    await stranger.tollgate(['tools', 'create', 'weather', '--per-call', '0.002']);
    await expectPaid(stranger, { tool: 'weather', call: await pasteServer(stranger, 'README.md') });
    const paidMs = stranger.sinceInstallMs();
    process.stderr.write(`stranger: the builder has earned ${Math.round(paidMs / 1_000)} s after the install began\n`);
    expect(paidMs).toBeLessThan(fiveMinutesMs * crowd());
    const { stdout } = await stranger.consumerTollgate(['usage', '--json']);
    expect(JSON.parse(stdout)).toMatchObject([{ tool_id: 'weather', calls: 1, charge_usd: 0.002 }]);
  }, 300_000);

  it('is paid for calls of an MCP server by the lines of @tollgate/mcp’s README', async (stranger) => {
    await expectPaid(stranger, { tool: 'weather', call: await pasteServer(stranger, 'packages/mcp/README.md') });
  }, 300_000);

  it('runs the ten lines of the SDK’s README as they stand there', async ({ pasteReadme }) => {
    const { folder, name, text, env } = await pasteReadme('packages/sdk/README.md');
    expect(linesOfCode(text)).toBeLessThanOrEqual(10);
    const { stdout } = await promisify(execFile)(process.execPath, [name], { cwd: folder, env });
    expect(stdout).toMatch(/^slug_taken\nsent 1 event, [0-9a-f-]{36}\n$/);
  }, 300_000);

  it('runs the programs of docs/sdk.md as they stand there', async ({ run }) => {
    const outputs: string[] = [];
    for (const program of programsOf(readPage('docs/sdk.md'))) outputs.push(await run(program));
    expect(outputs).toEqual([
      'registered translate\n',
      'left in the spool: 0\n',
      'counted: 3 calls\ntool: translate\ntool: weather\ntool: web-search\n',
      'ONE\nTWO\ncut by the caller after 2 items\n',
      '', // a function that nobody calls
    ]);
  });

  it('is paid for requests of an HTTP API by the lines of the middleware’s README', async (stranger) => {
    const { folder, name, text, env } = await stranger.pasteReadme('packages/middleware/README.md');
    expect(linesOfCode(text)).toBeLessThanOrEqual(10);
    const [port = 0] = await findFreePorts(1);
    writeFileSync(join(folder, name), text.replace('3000', String(port))); // which another program may have
    const api = startChildService({ command: process.execPath, args: [name], cwd: folder, env });
    const url = `http://127.0.0.1:${port}/translate`;
    const call = async (pass: string): Promise<void> => {
      const answered = await fetch(url, { headers: { authorization: `Bearer ${pass}` } });
      expect([answered.status, await answered.text()]).toEqual([200, 'Hej']);
      expect((await fetch(url)).status).toBe(402);
    };
    try {
      await eventually(() => fetch(url), { withinMs: 20_000 });
      await expectPaid(stranger, { tool: 'translate', call });
    } finally {
      await api.destroy();
    }
  }, 300_000);

  it('sees tools, usage, events, invoices, payouts and the spool, as tables and as JSON', async ({ tollgate }) => {
    const table = async (...args: string[]): Promise<string> => (await tollgate(args)).stdout;
    expect(await table('tools')).toMatch(/^slug +name +price +archived +created_at\ntranslate /);
    expect(await table('usage')).toMatch(/\ntranslate +4 +0 +\d+ +0(\.\d+)?\n/);
    expect(await table('events')).toContain('web-search');
    expect(JSON.parse(await table('invoices', '--json'))).toEqual([]);
    const payouts = JSON.parse(await table('payouts', '--json')) as { status: string }[];
    expect(payouts.filter(({ status }) => status !== 'pending')).toEqual([]); // the month is not over
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
      /^tool_id,calls,failures,duration_ms,charge_usd\r\ntranslate,4,0,\d+,0.*\r\nweb-search,1,0,120,0/,
    );
  });

  it('prints an event while it is counted, and none that was there before', async ({ tollgate, follow, run }) => {
    const tail = follow(['events', 'tail', '--json', '--count', '1']);
    await tail.waits; // it knows the earlier events from here on
    const [program = ''] = programsOf(readPage('packages/sdk/README.md'));
    const key = /^slug_taken\nsent 1 event, (\S+)\n$/.exec(await run(program))?.[1];
    const lines = (await tail.output).trim().split('\n');
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([{ idempotency_key: key }]);
    expect(await tollgate(['events', 'list', '--role', 'nobody'])).toMatchObject({ code: 2 });
  });

  it('is paid for calls of an MCP server that nobody can change, by the settings of docs/mcp.md', async (stranger) => {
    writeFileSync(join(stranger.folder, 'server.js'), weatherServer);
    const [, settings = ''] = /```json\n(\{\n {2}"mcpServers".*?)```/s.exec(readPage('docs/mcp.md')) ?? [];
    const call = async (pass: string): Promise<void> => {
      const asked = stranger.run(weatherClient(settings), { TOLLGATE_KEY: pass, PATH: process.env['PATH'] ?? '' });
      expect(await asked).toBe('12 degrees\n');
    };
    await expectPaid(stranger, { tool: 'weather', call });
  }, 300_000);

  it('exits by codes that a script can read', async ({ tollgate }) => {
    expect(await tollgate(['nonsense'])).toMatchObject({ code: 2 });
    expect(await tollgate(['tools', 'get', 'absent'])).toMatchObject({ code: 1 });
    const elsewhere = ['--url', 'http://127.0.0.1:9'];
    expect(await tollgate(['whoami', ...elsewhere])).toMatchObject({ code: 3 }); // the session is of another address
    expect(await tollgate(['login', '--api-key', ...elsewhere], 'tg_live_nobody\n')).toMatchObject({ code: 4 });
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
