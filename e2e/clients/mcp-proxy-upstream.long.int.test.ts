import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect } from '@jest/globals';
import { serveHttp } from '@tollgate/testkit/http-server';
import { itWith } from '../it-with.ts';
import { untilFree } from './held-money.ts';
import { openProxies, rawServerCommand } from './open-proxies.ts';

const large = 'x'.repeat(12 * 1024 * 1024);

/** A server over HTTP that refuses the first request if a status is given, and then answers. */
async function serveRefusing(status?: number) {
  let requests = 0;
  return serveHttp((request, response) => {
    requests += 1;
    if (requests === 1 && status !== undefined) response.writeHead(status).end('no token');
    else void json(request).then((message) => giveCity(message as CallMessage, response));
  });
}

interface CallMessage {
  readonly id: unknown;
  readonly params: { readonly arguments: { readonly city: string } };
}

function giveCity({ id, params }: CallMessage, response: ServerResponse): void {
  const result = { content: [{ type: 'text', text: params.arguments.city }] };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

describe('mcp-proxy, before a server that does not answer as usual', () => {
  const it = itWith(async (undo) => ({ ...(await openProxies('mcp-proxy-upstream', undo)), undo }));

  it('passes a message of 12 MiB on', async ({ open }) => {
    const { market, startRaw } = await open();
    const proxy = startRaw(['--tool', market.slug, '--', ...rawServerCommand]);
    proxy.call(1, 'large');
    expect((await proxy.answers(1))[0]?.result?.content[0]?.text.length).toBe(12 * 1024 * 1024);
    await market.untilCounted({ successes: 1, failures: 0 });
  });

  it('passes arguments of 12 MiB on to a program', async ({ open }) => {
    const { market, startRaw } = await open();
    const proxy = startRaw(['--tool', market.slug, '--', ...rawServerCommand]);
    proxy.call(1, large);
    expect((await proxy.answers(1))[0]?.result?.content[0]?.text === large).toBe(true);
    await market.untilCounted({ successes: 1, failures: 0 });
  });

  for (const flags of [[], ['--gate']])
    it(`passes arguments of 12 MiB on to an address ${flags.join(' ')}`, async ({ open, undo }) => {
      const { market, startRaw } = await open();
      const upstream = await serveRefusing();
      undo(() => upstream.close());
      const proxy = startRaw([...flags, '--tool', market.slug, `${upstream.baseUrl}/mcp`]);
      proxy.call(1, large);
      expect((await proxy.answers(1))[0]?.result?.content[0]?.text === large).toBe(true);
      await market.untilCounted({ successes: 1, failures: 0 });
    });

  for (const to of ['a program', 'an address'])
    it(`ends with 1 and names its bound when the client sends more to ${to}`, async ({ open, undo }) => {
      const { market, startRaw } = await open();
      const upstream = await serveRefusing();
      undo(() => upstream.close());
      const server = to === 'a program' ? ['--', ...rawServerCommand] : [`${upstream.baseUrl}/mcp`];
      const proxy = startRaw(['--max-message-mib', '1', '--tool', market.slug, ...server]);
      proxy.call(1, 'Oslo');
      await proxy.answers(1);
      proxy.call(2, 'x'.repeat(1024 * 1024)); // it waits for the answer, and closes nothing
      expect(await proxy.exited).toBe(1);
      expect(proxy.errors()).toMatch(/^tollgate: a message of the client is larger .*--max-message-mib\n$/);
      await market.untilCounted({ successes: 1, failures: 0 }); // Oslo's alone
    });

  it('names its bound when a message is larger', async ({ open }) => {
    const { market, startRaw } = await open();
    const proxy = startRaw(['--max-message-mib', '1', '--tool', market.slug, '--', ...rawServerCommand]);
    proxy.call(1, 'large');
    expect(await proxy.exited).toBe(1);
    expect(proxy.errors()).toMatch(/^tollgate: a message of the server is larger .*--max-message-mib\n$/);
  });

  for (const status of [401, 403])
    it(`gives a client the ${status} of the server as it is, and charges nothing for that call`, async ({
      open,
      undo,
    }) => {
      const { market, startRaw } = await open();
      await market.consumer.passes.update(market.passId, { cap: { amount_usd: 5, window: 'month' } });
      const upstream = await serveRefusing(status);
      undo(() => upstream.close());
      const proxy = startRaw(['--gate', '--tool', market.slug, `${upstream.baseUrl}/mcp`]);
      proxy.call(1, 'refused');
      const [refused] = await proxy.answers(1);
      expect(refused).toMatchObject({ id: 1, error: { data: { status, body: 'no token' } } });
      expect(refused?.error?.message).toMatch(/ answered 40[13]: no token .*--header/);
      await untilFree(market);
      proxy.call(2, 'Oslo');
      expect((await proxy.answers(2))[1]).toMatchObject({ id: 2, result: { content: [{ text: 'Oslo' }] } });
      await market.untilCounted({ successes: 1, failures: 0 }); // Oslo's alone
      await untilFree(market);
      expect((await market.consumer.passes.get(market.passId)).spent_usd).toBe(0.01);
    });
});
