import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { buildPackage, npm, packPackage } from '../../../tools/release/pack-package.ts';

/** TypeScript 6, which is older than that of the workspace. */
const typescript = new URL('../node_modules/typescript/bin/tsc', import.meta.url).pathname;
const peers = ['@modelcontextprotocol/client@2.4.0', '@modelcontextprotocol/server@2.4.0', '@types/node@24.19.2'];

interface Packed {
  readonly name: string;
  readonly folder: string;
  readonly dependencies: readonly string[] | undefined;
  /** Names that each entry exports, at least. */
  readonly entries: Readonly<Record<string, readonly string[]>>;
  /** A program that uses its types, and one of them wrongly. */
  readonly typed: string;
}

const packages: readonly Packed[] = [
  {
    name: '@tollgate/sdk',
    folder: 'packages/sdk',
    dependencies: undefined,
    entries: {
      '.': ['Meter', 'SpoolFull', 'Tollgate', 'TollgateError'],
      './edge': ['EdgeMeter', 'Tollgate'],
      './calls': ['createCalls'],
      './operations': ['operations'],
    },
    typed: `import { Meter, Tollgate, TollgateError, type ToolCall } from '@tollgate/sdk';
      import { EdgeMeter } from '@tollgate/sdk/edge';
      const call: ToolCall = { tool: 'search', metadata: { tokens: 3 } };
      const key: string = (await (await Meter.open({ dir: 'd' })).record(call)).idempotencyKey;
      for await (const { total_usd } of new Tollgate().invoices.list({ status: 'open' })) total_usd.toFixed(2);
      new Tollgate().tools.get('a').catch((error: unknown) => error instanceof TollgateError && error.requestId);
      // @ts-expect-error: a misspelt field
      await new EdgeMeter().record({ tool: 'search', durations: 1 });
      export { key };`,
  },
  {
    name: '@tollgate/mcp',
    folder: 'packages/mcp',
    dependencies: ['@tollgate/sdk'],
    entries: {
      '.': ['createMetering', 'meterServer', 'tokenVerifier'],
      './proxy': ['runProxy'],
      './listen': ['listenProxy'],
    },
    typed: `import { McpServer, OAuthError, requireBearerAuth } from '@modelcontextprotocol/server';
      import { createMeteringPorts, meterServer, tokenVerifier } from '@tollgate/mcp';
      import { listenProxy } from '@tollgate/mcp/listen';
      import { runProxy } from '@tollgate/mcp/proxy';
      import { Meter, Tollgate } from '@tollgate/sdk';
      import { createCalls } from '@tollgate/sdk/calls';
      const tollgate = new Tollgate();
      const calls = createCalls({ tollgate, meter: await Meter.open({ dir: 'd' }) });
      const metered: McpServer = meterServer(new McpServer({ name: 'a', version: '1' }), { tollgate, calls, tool: 'a' });
      const verifier = tokenVerifier({ tollgate, invalidToken: (text) => new OAuthError('invalid_token', text) });
      requireBearerAuth({ verifier });
      const ports = createMeteringPorts({ tollgate, calls, tool: (name) => name.toUpperCase() });
      const ended: 'client' | 'server' = await runProxy({ upstream: { command: 'a', args: [], env: {} }, ports });
      // @ts-expect-error: a server without a tool
      meterServer(metered, { tollgate, calls });
      export type Listening = Awaited<ReturnType<typeof listenProxy>>;
      export { ended };`,
  },
  {
    name: '@tollgate/middleware',
    folder: 'packages/middleware',
    dependencies: ['@tollgate/sdk'],
    entries: {
      './express': ['meterExpress'],
      './fastify': ['meterFastify'],
      './fetch': ['meterFetch'],
      './hono': ['meterHono'],
    },
    typed: `import { createServer } from 'node:http';
      import { meterExpress } from '@tollgate/middleware/express';
      import { meterFastify } from '@tollgate/middleware/fastify';
      import { meterFetch } from '@tollgate/middleware/fetch';
      import { meterHono } from '@tollgate/middleware/hono';
      import { Meter, Tollgate } from '@tollgate/sdk';
      import { createCalls } from '@tollgate/sdk/calls';
      const tollgate = new Tollgate();
      const calls = createCalls({ tollgate, meter: await Meter.open({ dir: 'd' }) });
      const meter = meterExpress(calls, { tool: ({ url }) => url, metadata: (_, { status, isWhole }) => ({ status, isWhole }) });
      createServer((request, response) => meter(request, response, () => response.end()));
      const handler: (request: Request) => Promise<Response> = meterFetch(() => new Response('a'), calls, { tool: 'a' });
      meterFastify(calls, { tool: 'a' });
      meterHono(calls, { tool: ({ req }) => req.raw.url });
      // @ts-expect-error: no tool
      meterFetch(handler, calls, {});
      export { handler };`,
  },
];

let folder: string;
let tarballs: string[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'packed-'));
  for (const item of packages) buildPackage(item.folder);
  tarballs = packages.map((item) => packPackage(item.folder, folder));
  writeFileSync(join(folder, 'package.json'), '{ "name": "stranger", "private": true }');
  npm(folder, ['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs, ...peers]);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const installed = (name: string): string => join(folder, 'node_modules', name);

/** Runs a file of the project by a program. */
function run(name: string, text: string, command: readonly string[] = [process.execPath]): string {
  writeFileSync(join(folder, name), text);
  const [program = '', ...args] = command;
  return execFileSync(program, [...args, name], { cwd: folder, encoding: 'utf8' });
}

it.each(packages)('$name has nothing that publint or arethetypeswrong objects to', async ({ name }) => {
  const { messages, pkg } = await publint({ pkgDir: installed(name), strict: true });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  const tarball = tarballs[packages.findIndex((item) => item.name === name)] ?? '';
  const types = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  if (!types.types) throw new Error('the package has no types');
  const isOfOldNode = ({ resolutionKind }: { resolutionKind?: string }): boolean => resolutionKind === 'node10';
  const kinds = types.problems.filter((problem) => !isOfOldNode(problem as object)).map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(['CJSResolvesToESM'])); // Node 20.19 and newer requires ES modules
});

it.each(packages)('each entry of $name is imported and required', ({ name, entries }) => {
  const manifest = readManifest(name);
  expect(Object.keys(manifest.exports).filter((entry) => entry !== './package.json')).toEqual(Object.keys(entries));
  for (const [entry, names] of Object.entries(entries)) {
    const specifier = JSON.stringify(join(name, entry));
    const imported = run('import.mjs', `import * as all from ${specifier}; console.log(Object.keys(all).join());`);
    const required = run('require.cjs', `console.log(Object.keys(require(${specifier})).join());`);
    expect(imported.trim().split(',')).toEqual(expect.arrayContaining([...names]));
    expect(required.trim().split(',')).toEqual(expect.arrayContaining([...names]));
  }
});

it.each(packages)('$name brings no package of others', ({ name, dependencies }) => {
  const manifest = readManifest(name);
  expect(manifest.dependencies && Object.keys(manifest.dependencies)).toEqual(dependencies);
  expect(JSON.stringify(manifest)).not.toContain('@tollgate/source');
});

function readManifest(name: string): { dependencies?: object; exports: object } {
  return JSON.parse(readFileSync(join(installed(name), 'package.json'), 'utf8')) as ReturnType<typeof readManifest>;
}

it('the edge build needs nothing of Node', () => {
  const text = `
    import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (name.startsWith('node:')) throw new Error('the edge build imports ' + name);
      return next(name, context);
    } });
    const { EdgeMeter, Tollgate } = await import('@tollgate/sdk/edge');
    const refused = await new Tollgate().webhooks.verify('{}', {}, 'whsec_MfKQ').catch(({ code }) => code);
    console.log(typeof EdgeMeter, refused);`;
  expect(run('edge.mjs', text)).toBe('function header_missing\n');
});

const resolutions = [
  { resolution: 'node16', module: 'node16' },
  { resolution: 'bundler', module: 'esnext' },
];
const projects = [
  { names: ['@tollgate/sdk'], types: [] }, // which needs none of Node's
  { names: ['@tollgate/mcp', '@tollgate/middleware'], types: ['node'] },
];
const typed = resolutions.flatMap((way) => projects.map((project) => ({ ...way, ...project })));

it.each(typed)('the types of $names are found in $resolution resolution', ({ resolution, module, names, types }) => {
  const files = packages.filter(({ name }) => names.includes(name)).map(writeTyped);
  const base = { noEmit: true, strict: true, target: 'es2022', lib: ['es2022', 'dom'], types };
  const compilerOptions = { ...base, module, moduleResolution: resolution };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const { stdout } = spawnSync(process.execPath, [typescript, '-p', 'tsconfig.json'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
});

function writeTyped(item: Packed): string {
  const file = `${item.name.replace('@tollgate/', 'typed-')}.mts`;
  writeFileSync(join(folder, file), item.typed);
  return file;
}

const runtimes = [
  { runtime: 'bun', command: ['bun', 'run'] },
  { runtime: 'deno', command: ['deno', 'run', '--allow-all', '--node-modules-dir=manual'] },
] as const;

const recording = `
  import { once } from 'node:events';
  import { readdirSync } from 'node:fs';
  import { createServer } from 'node:http';
  import { Meter } from '@tollgate/sdk';
  import { EdgeMeter } from '@tollgate/sdk/edge';
  const seen = [];
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json');
    let text = '';
    for await (const chunk of request) text += chunk;
    if (request.url === '/v1/auth/me') return response.end('{"account_id":"a"}');
    const { events } = JSON.parse(text);
    seen.push(...events);
    response.end(JSON.stringify({ results: events.map((_, index) => ({ index, status: 'recorded' })) }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = 'http://127.0.0.1:' + server.address().port;
  const meter = await Meter.open({ dir: process.argv[1] + '-spool', url, apiKey: 'tg_live_test' });
  await meter.record({ tool: 'search' });
  const { left } = await meter.close();
  console.log(left, seen.map(({ tool_id }) => tool_id).join(), readdirSync(process.argv[1] + '-spool').join(), typeof EdgeMeter);
  process.exit(0);`;

it('node records through the packed SDK, as the other runtimes have to', () => {
  expect(run('record-node.mjs', recording)).toBe('0 search account.json function\n');
});

/** They are tested where they are installed; this project does not install them. */
const present = runtimes.filter(({ runtime }) => spawnSync(runtime, ['--version']).status === 0);

for (const { runtime, command } of present)
  it(`${runtime} records through the packed SDK`, () => {
    expect(run(`record-${runtime}.mjs`, recording, command)).toBe('0 search account.json function\n');
  });

it('the client without the spool has at most 12 KiB gzipped', () => {
  const seen = new Map<string, string>();
  const follow = (path: string): void => {
    if (seen.has(path)) return;
    const text = readFileSync(path, 'utf8');
    seen.set(path, text);
    for (const [, name = ''] of text.matchAll(/from '(\.[^']+)'/g)) follow(join(path, '..', name));
  };
  follow(join(installed('@tollgate/sdk'), 'dist/client/tollgate.js'));
  expect(gzipSync([...seen.values()].join('\n')).length).toBeLessThan(12 * 1024);
});
