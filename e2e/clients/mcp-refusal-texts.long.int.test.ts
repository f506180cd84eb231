import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it as itAlone } from '@jest/globals';
import { refusalTexts } from '../../packages/mcp/src/refusal-texts.ts';
import { itWith } from '../it-with.ts';
import { openProxies, serverCommand, type RawProxy, type ServerMessage } from './open-proxies.ts';
import { describeWithPython, openPython } from './python-environment.ts';

const clientInfo = { name: 'raw', version: '1' };
const initialize = { method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } };
const patienceMs = 300_000; // beside the other suites

type Call = readonly [name: string, args: Readonly<Record<string, unknown>>];

const unknownTool: Call = ['absent', { city: 'Oslo' }];
const unfit: Call = ['weather', {}];
/** The call is unfit by a rule that only the server knows, or by a part of its schema that we do not read. */
const unfitByRule: Call = ['weather', { city: 'Oslo', year: 3000 }];
const raised: Call = ['weather', { city: 'Atlantis' }];
/** The tool runs, and raises the error that JSON-RPC has for arguments that do not fit. */
const raisedInvalidParams: Call = ['weather', { city: 'Lemuria' }];
const answered: Call = ['weather', { city: 'Oslo' }];

const inTypeScript = { refused: [unknownTool, unfit], failed: [raised] };
const inPython = { refused: [unknownTool, unfit, unfitByRule], failed: [raised, raisedInvalidParams] };

/** Calls one tool after the other, so that the calls are recorded in this order. Returns what the client reads. */
async function callAll(proxy: RawProxy, calls: readonly Call[]): Promise<string[]> {
  proxy.send({ id: 'initialize', ...initialize });
  await proxy.answers(1);
  proxy.send({ method: 'notifications/initialized' });
  const texts: string[] = [];
  for (const [index, [name, args]] of calls.entries()) {
    proxy.send({ id: index, method: 'tools/call', params: { name, arguments: args } });
    texts.push(textOf((await proxy.answers(index + 2)).at(-1)));
  }
  return texts;
}

function textOf(answer: ServerMessage | undefined): string {
  return answer?.error?.message ?? answer?.result?.content[0]?.text ?? '';
}

/** Requires that what ran is recorded, and nothing else. Returns the texts of refusals and of failures. */
async function openTrial(...[name, undo]: Parameters<typeof openProxies>) {
  const { open } = await openProxies(name, undo);
  return async (server: readonly string[], { refused, failed }: typeof inPython) => {
    const { market, startRaw } = await open();
    const proxy = startRaw(['--tool', market.slug, '--', ...server]);
    const texts = await callAll(proxy, [...refused, ...failed, answered]);
    expect(texts.at(-1)).toBe('Oslo');
    await market.untilCounted({ successes: 1, failures: failed.length });
    return { refusals: texts.slice(0, refused.length), failures: texts.slice(refused.length, -1) };
  };
}

interface Said {
  readonly refusals: readonly string[];
  readonly failures: readonly string[];
}

/** Each text of the table is among the refusals of its package, and none of them fits a failure. */
function expectTexts(name: string, { refusals, failures }: Said): void {
  const rows = refusalTexts.filter((row) => `${row.package} ${row.version}` === name);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ text }) => !refusals.some((refusal) => text.test(refusal)))).toEqual([]);
  expect(failures.filter((failure) => refusalTexts.some(({ text }) => text.test(failure)))).toEqual([]);
}

const typescriptServers = [
  { name: '@modelcontextprotocol/sdk', kind: 'first' },
  { name: '@modelcontextprotocol/server', kind: 'second' },
].map(({ name, kind }) => {
  const manifest = readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8');
  return { name: `${name} ${(JSON.parse(manifest) as { version: string }).version}`, kind };
});

const pythonServers = [
  { name: 'mcp 1.30.0', kinds: ['high', 'low'] },
  { name: 'mcp 2.3.0', kinds: ['high'] },
  { name: 'fastmcp 4.2.3', kinds: ['high'] },
];

describe('mcp-proxy, before servers of the SDKs for TypeScript', () => {
  const it = itWith((undo) => openTrial('mcp-typescript-servers', undo));

  for (const { name, kind } of typescriptServers)
    it(`F263 records what ran of ${name} and nothing else, and knows its texts`, async (tryServer) => {
      expectTexts(name, await tryServer([...serverCommand, kind], inTypeScript));
    });

  itAlone('F263 each package of the table is tried', () => {
    const tried = [...typescriptServers, ...pythonServers].map(({ name }) => name);
    expect(new Set(refusalTexts.map((row) => `${row.package} ${row.version}`))).toEqual(new Set(tried));
  });
});

describeWithPython('mcp-proxy, before servers in Python', () => {
  const program = fileURLToPath(new URL('mcp-python-server-program.py', import.meta.url));
  const it = itWith(async (undo) => {
    const environments = pythonServers.map(({ name }) => openPython(undo, [name.replace(' ', '==')]));
    const [tryServer, ...pythons] = await Promise.all([openTrial('mcp-python-servers', undo), ...environments]);
    return { tryServer, pythons };
  }, patienceMs);

  for (const [index, { name, kinds }] of pythonServers.entries())
    it(
      `F263 records what ran of ${name} and nothing else, and knows its texts`,
      async ({ tryServer, pythons }) => {
        const said: Said[] = [];
        for (const kind of kinds) said.push(await tryServer([pythons[index] ?? '', program, kind], inPython));
        const refusals = said.flatMap((one) => one.refusals);
        expectTexts(name, { refusals, failures: said.flatMap((one) => one.failures) });
      },
      patienceMs,
    );
});
