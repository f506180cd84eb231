import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect } from '@jest/globals';
import { createMetering, errorMeta } from '@tollgate/mcp';
import { Meter } from '@tollgate/sdk';
import { createCalls } from '@tollgate/sdk/calls';
import { itWith } from '../it-with.ts';
import type { Market } from './market.ts';
import { overHttp } from './mcp-over-http.ts';
import { openListeners } from './open-listeners.ts';
import { openMarket } from './market.ts';
import { openProxies, serverCommand } from './open-proxies.ts';

const name = { name: 'test', version: '1' };
const declared = { capabilities: { elicitation: { url: {} } } };
const modern = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;
const weather = { name: 'weather', arguments: { city: 'Oslo' } };
const asked = expect.stringMatching(/can approve this call until \S+ at http\S+\/approvals\/[\w-]+ /);

interface Sent {
  readonly mode?: string | undefined;
  readonly message: string;
  readonly url?: string | undefined;
}

/** A market whose pass has no room for a call, and the click of its owner. */
async function withoutRoom(market: Market) {
  await market.consumer.passes.update(market.passId, { cap: { amount_usd: 0.01, window: 'total' } });
  await market.builder.spending.authorize({ tool_id: market.slug, pass: market.pass });
  const approve = async ({ url = '' }: Sent) => market.consumer.approvals.approve(url.slice(url.lastIndexOf('/') + 1));
  return { ...market, approve };
}

type Full = Awaited<ReturnType<typeof withoutRoom>>;

/** A client of 2026-07-28 whose user approves, if at all, while it is asked. */
function newModern({ approve }: Full, click: (sent: Sent) => Promise<unknown> = approve) {
  const client = new ClientV2(name, { ...modern, ...declared });
  const sent: Sent[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    sent.push(params as Sent);
    await click(params as Sent);
    return { action: 'accept' };
  });
  return { client, sent };
}

/** It is sent to the page once, and the call then runs as if it had fitted. */
async function expectSentByResult(market: Full, connect: (client: ClientV2) => Promise<unknown>, text: RegExp) {
  const { client, sent } = newModern(market);
  await connect(client);
  expect(await client.callTool(weather)).toMatchObject({ content: [{ text: expect.stringMatching(text) }] });
  expect(sent).toEqual([expect.objectContaining({ mode: 'url', message: asked })]);
  await client.close();
  await market.untilCounted({ successes: 1, failures: 0 });
}

async function expectSentByError(market: Full, connect: (client: ClientV1) => Promise<unknown>, text: RegExp) {
  const client = new ClientV1(name, declared);
  client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'decline' as const }));
  await connect(client);
  const refused = await client.callTool(weather).then(
    () => undefined,
    (error: unknown) => error as { readonly code: number; readonly data: { readonly elicitations: readonly Sent[] } },
  );
  expect(refused).toMatchObject({ code: -32_042, data: { elicitations: [{ mode: 'url', message: asked }] } });
  await market.approve(refused?.data.elicitations[0] ?? { message: '' });
  expect(await client.callTool(weather)).toMatchObject({ content: [{ text: expect.stringMatching(text) }] });
  await client.close();
  await market.untilCounted({ successes: 1, failures: 0 });
}

async function expectTold(connect: (client: ClientV1) => Promise<unknown>) {
  const client = new ClientV1(name, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'decline' as const }));
  await connect(client);
  expect(await client.callTool(weather)).toMatchObject({
    isError: true,
    content: [{ text: asked }],
    _meta: { [errorMeta]: { code: 'spending_cap_reached', approval: { url: expect.stringContaining('/approvals/') } } },
  });
  await client.close();
}

describe('a call that the owner of the pass can approve', () => {
  const it = itWith(async (undo) => {
    const { product, open: openProxy } = await openProxies('mcp-approvals', undo);
    const listeners = await openListeners('mcp-approvals-listen', undo);
    /** A server that meters itself, for clients over HTTP. */
    const serve = async (kind: keyof typeof overHttp, runs: { count: number }) => {
      const market = await withoutRoom(await openMarket(product.baseUrl()));
      const meter = await Meter.open({ tollgate: market.builder, durability: 'memory' });
      const calls = createCalls({ tollgate: market.builder, meter, gate: true });
      const meterOne = createMetering({ tollgate: market.builder, calls, tool: market.slug });
      const row = overHttp[kind];
      if (row === undefined) throw new Error(`there is no server ${kind}`);
      const server = await row.serve({ report: (city) => `${city} ${(runs.count += 1)}` }, meterOne);
      undo(() => Promise.all([server.close(), meter.close()]));
      const requestInit = { headers: { Authorization: `Bearer ${market.pass}` } };
      return { market, url: new URL(server.baseUrl), requestInit };
    };
    return { openProxy, listeners, serve };
  });

  it('F349 sends a client of 2026-07-28 of a metered server to the page, and no other run is paid', async ({
    serve,
  }) => {
    const runs = { count: 0 };
    const { market, url, requestInit } = await serve("second generation and 2026's revision of MCP", runs);
    await expectSentByResult(market, (client) => client.connect(new HttpV2(url, { requestInit })), /^Oslo 1$/);
    expect(runs.count).toBe(1);
  });

  it('F349 runs nothing for a client that only says that its user was there', async ({ serve }) => {
    const runs = { count: 0 };
    const { market, url, requestInit } = await serve("second generation and 2026's revision of MCP", runs);
    const { client } = newModern(market, async ({ url: page = '' }) =>
      market.consumer.approvals.refuse(page.slice(page.lastIndexOf('/') + 1)),
    );
    await client.connect(new HttpV2(url, { requestInit }));
    expect(await client.callTool(weather)).toMatchObject({ isError: true });
    expect(runs.count).toBe(0);
    await client.close();
  });

  it('sends a client of 2025-11-25 of a metered server by an error, and tells another in words', async ({ serve }) => {
    const { market, url, requestInit } = await serve('first generation, one server per session', { count: 0 });
    await expectTold((client) => client.connect(new HttpV1(url, { requestInit }) as never));
    await expectSentByError(market, (client) => client.connect(new HttpV1(url, { requestInit }) as never), /^Oslo 1$/);
  });

  it('sends clients of both generations to the page through the proxy over stdio', async ({ openProxy }) => {
    for (const generation of ['first', 'modern'] as const) {
      const opened = await openProxy();
      const market = await withoutRoom(opened.market);
      const program = opened.programOf(['--gate', '--tool', market.slug, '--', ...serverCommand, generation]);
      if (generation === 'modern')
        await expectSentByResult(market, (client) => client.connect(new StdioV2(program)), /Oslo/);
      else await expectSentByError(market, (client) => client.connect(new StdioV1(program)), /Oslo/);
    }
  });

  it('sends clients of both generations to the page through the proxy that listens', async ({ listeners }) => {
    for (const generation of ['first', 'modern'] as const) {
      const opened = await listeners.open();
      const market = await withoutRoom(opened.market);
      const { url } = await opened.listen(['--gate', '--', ...serverCommand, generation]);
      const requestInit = { headers: { Authorization: `Bearer ${market.pass}` } };
      if (generation === 'modern')
        await expectSentByResult(market, (client) => client.connect(new HttpV2(new URL(url), { requestInit })), /Oslo/);
      else
        await expectSentByError(
          market,
          (client) => client.connect(new HttpV1(new URL(url), { requestInit }) as never),
          /Oslo/,
        );
    }
  });
});
