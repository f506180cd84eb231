import { request } from 'node:http';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { describe, expect } from '@jest/globals';
import { createMetering, protectedResource, tokenVerifier } from '@tollgate/mcp';
import { Meter } from '@tollgate/sdk';
import { createCalls } from '@tollgate/sdk/calls';
import { createFormBrowser } from '@tollgate/testkit/form-browser';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import { serveHttp } from '@tollgate/testkit/http-server';
import { itWith, type Undo } from '../it-with.ts';
import { installConformanceSuite, type Verdicts } from './conformance-suite.ts';
import { createConformanceServer } from './mcp-conformance-server.ts';
import { openOAuthListeners, type OAuthMarket } from './oauth-listeners.ts';
import { commandOf } from './open-proxies.ts';
import { serveFetch } from './serve-fetch.ts';

const revisions = ['2025-11-25', '2026-07-28'] as const;
const patienceMs = 240_000;

/** Where metering could show: in calls, in what they ask for, in headers and in sessions. */
const mustPass: Readonly<Record<(typeof revisions)[number], readonly string[]>> = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'tools-call-simple-text', 'tools-call-error'],
  '2026-07-28': [
    'tools-list',
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-error',
    'tools-call-with-progress',
    'http-header-validation',
    'caching',
    'input-required-result-basic-elicitation',
    'input-required-result-request-state',
    'input-required-result-multi-round',
    'input-required-result-tampered-state',
    'input-required-result-validate-input',
  ],
};

describe('the conformance suite of MCP', () => {
  const it = itWith(async (undo) => {
    const suite = installConformanceSuite(undo);
    const listeners = await openOAuthListeners('mcp-conformance', undo);
    const program = commandOf(new URL('mcp-conformance-program.ts', import.meta.url));
    return { suite, undo, open: () => listeners.open(program) };
  }, patienceMs);

  for (const revision of revisions) {
    it(
      `F356 finds no more in a server behind mcp-proxy --oauth than in the server itself: ${revision}`,
      async ({ suite, open, undo }) => {
        const direct = await suite.judgeServer(await serveUnmetered(undo), revision);
        const market = await open();
        const behind = await suite.judgeServer(await addPass(market, market.url, undo), revision);
        expectAsWithout(behind, direct, revision);
      },
      patienceMs,
    );
    it(
      `F356 finds no more in a server that meters itself than without: ${revision}`,
      async ({ suite, open, undo }) => {
        const direct = await suite.judgeServer(await serveUnmetered(undo), revision);
        const market = await open();
        const metered = await suite.judgeServer(
          await addPass(market, await serveMetered(market, undo), undo),
          revision,
        );
        expectAsWithout(metered, direct, revision);
      },
      patienceMs,
    );
  }

  it('F309 finds nothing in the authorization server', async ({ suite, open }) => {
    const { issuer, url: resource, person } = await open();
    const [port = 0] = await findFreePorts(1);
    const redirectUris = [`http://127.0.0.1:${port}/callback`];
    const registered = await fetch(`${issuer}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Conformance', redirect_uris: redirectUris }),
    });
    const { client_id: clientId } = (await registered.json()) as { client_id: string };
    const verdicts = await suite.judgeAuthorization({ issuer, resource, clientId, port }, async (url) => {
      const browser = createFormBrowser({ site: issuer, baseUrl: issuer });
      const page = await browser.press(await browser.open(url), 'sign_in', person);
      const { leavesTo } = await browser.press(page, 'allow');
      await fetch(leavesTo ?? '');
    });
    expect([...verdicts.keys()].toSorted()).toEqual([
      'authorization-code-grant',
      'authorization-server-metadata-endpoint',
    ]);
    for (const checks of verdicts.values()) expect(new Set(Object.values(checks))).toEqual(new Set(['SUCCESS']));
  });
});

function expectAsWithout(metered: Verdicts, direct: Verdicts, revision: (typeof revisions)[number]): void {
  const failedIn = (verdicts: Verdicts) =>
    [...verdicts].flatMap(([scenario, checks]) =>
      Object.entries(checks).flatMap(([check, status]) => (status === 'FAILURE' ? [`${scenario} ${check}`] : [])),
    );
  const known = new Set(failedIn(direct));
  expect(failedIn(metered).filter((failed) => !known.has(failed))).toEqual([]);
  expect([...metered.keys()].toSorted()).toEqual([...direct.keys()].toSorted());
  const failedScenarios = new Set(failedIn(metered).map((failed) => failed.split(' ')[0]));
  expect(mustPass[revision].filter((scenario) => !metered.has(scenario) || failedScenarios.has(scenario))).toEqual([]);
}

async function serveUnmetered(undo: Undo): Promise<string> {
  const handler = createMcpHandler(createConformanceServer);
  const server = await serveFetch((asked) => handler.fetch(asked));
  undo(() => server.close());
  return `${server.baseUrl}/mcp`;
}

/** A server that meters itself, takes tokens, and says where they come from. */
async function serveMetered({ builder, slug }: OAuthMarket, undo: Undo): Promise<string> {
  const meter = await Meter.open({ tollgate: builder, durability: 'memory' });
  const calls = createCalls({ tollgate: builder, meter, gate: true });
  const meterOne = createMetering({ tollgate: builder, calls, tool: slug });
  const handler = createMcpHandler(() => meterOne(createConformanceServer()));
  const [port = 0] = await findFreePorts(1);
  const url = `http://127.0.0.1:${port}/mcp`;
  const guard = protectedResource({ tollgate: builder, resource: url });
  const invalidToken = (message: string) => new Error(message);
  const { verifyAccessToken } = tokenVerifier({ tollgate: builder, resource: url, invalidToken });
  const server = await serveFetch(async (asked) => {
    const token = /^Bearer (.+)$/.exec(asked.headers.get('authorization') ?? '')?.[1] ?? '';
    const isGood = await verifyAccessToken(token).then(Boolean, () => false);
    if (!isGood) return new Response(null, { status: 401, headers: { 'www-authenticate': guard.challenge() } });
    return handler.fetch(asked);
  });
  undo(() => Promise.all([server.close(), meter.close()]));
  return `${server.baseUrl}/mcp`;
}

/** The suite sends no credential of its own, so a pass is added on its way. Returns the address for the suite. */
async function addPass({ consumer }: OAuthMarket, url: string, undo: Undo): Promise<string> {
  const { key } = await consumer.passes.create({ name: 'conformance', tools: '*' });
  const server = await serveHttp((asked, response) => {
    const headers = { ...asked.headers, authorization: `Bearer ${key}` };
    const { method = 'GET', url: path = '/' } = asked;
    const onward = request(new URL(path, url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.once('close', () => onward.destroy());
    asked.pipe(onward);
  });
  undo(() => server.close());
  return `${server.baseUrl}/mcp`;
}
