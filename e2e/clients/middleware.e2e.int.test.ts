import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect } from '@jest/globals';
import { meterExpress } from '@tollgate/middleware/express';
import { meterFastify } from '@tollgate/middleware/fastify';
import { meterFetch } from '@tollgate/middleware/fetch';
import { meterHono } from '@tollgate/middleware/hono';
import { Meter } from '@tollgate/sdk';
import { createCalls, type BeginCall } from '@tollgate/sdk/calls';
import express from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { openMarket } from './market.ts';

/** Serves `/weather`, which answers `/weather?fail` with 500. */
type Api = (calls: BeginCall, tool: string) => Promise<{ ask(path: string, init: RequestInit): Promise<Response> }>;

const statusOf = (url: string) => (url.includes('fail') ? 500 : 200);
const closers: (() => unknown)[] = [];

async function listen(
  listener: RequestListener,
): Promise<{ ask: (path: string, init: RequestInit) => Promise<Response> }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { ask: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init) };
}

const apis: Record<string, Api> = {
  Express: (calls, tool) => {
    const app = express();
    app.get('/weather', meterExpress(calls, { tool }), (request, response) => {
      response.status(statusOf(request.url)).send('12 degrees');
    });
    return listen(app);
  },
  Fastify: async (calls, tool) => {
    const app = fastify();
    app.get('/weather', { onRequest: meterFastify(calls, { tool }) }, (request, reply) =>
      reply.status(statusOf(request.url)).send('12 degrees'),
    );
    await app.ready();
    return listen((request, response) => app.routing(request, response));
  },
  Hono: async (calls, tool) => {
    const app = new Hono();
    app.use('/weather', meterHono(calls, { tool }));
    app.get('/weather', (context) => context.text('12 degrees', statusOf(context.req.url) as 200));
    return { ask: async (path, init) => app.request(path, init) };
  },
  'a fetch handler': async (calls, tool) => {
    const handler = meterFetch(
      (request: Request) => new Response('12 degrees', { status: statusOf(request.url) }),
      calls,
      { tool },
    );
    return { ask: (path, init) => handler(new Request(`http://localhost${path}`, init)) };
  },
};

for (const [name, createApi] of Object.entries(apis)) {
  describe(`an API on ${name}`, () => {
    const it = itWith(async (undo) => {
      const product = await openProduct({ name: 'middleware' }, undo);
      const market = await openMarket(product.baseUrl());
      const meter = await Meter.open({ tollgate: market.builder, durability: 'memory' });
      const calls = createCalls({ tollgate: market.builder, meter, requirePass: true });
      const api = await createApi(calls, market.slug);
      undo(() => Promise.all([meter.close(), ...closers.map((close) => close())]));
      const ask = (path: string, key?: string) =>
        api.ask(path, { ...(key !== undefined && { headers: { authorization: `Bearer ${key}` } }) });
      return { ask, market };
    });

    it('counts a request for the pass that it brings, and a 500 as failed', async ({ ask, market }) => {
      const answer = await ask('/weather', market.pass);
      expect([answer.status, await answer.text()]).toEqual([200, '12 degrees']);
      await (await ask('/weather?fail', market.pass)).text();
      await market.untilCounted({ successes: 1, failures: 1 });
    });

    it('answers 402 without a pass and 403 to one that is paused, as problem documents', async ({ ask, market }) => {
      const { id, key } = await market.consumer.passes.create({ name: 'paused', tools: '*' });
      await market.consumer.passes.update(id, { paused: true });
      const refused = [await ask('/weather'), await ask('/weather', key)];
      expect(refused.map(({ status }) => status)).toEqual([402, 403]);
      expect(refused.map(({ headers }) => headers.get('content-type'))).toEqual(
        Array(2).fill('application/problem+json'),
      );
      expect(await refused[1]?.json()).toMatchObject({ code: 'pass_refused', status: 403 });
    });
  });
}

describe('a streamed answer', () => {
  const it = itWith(async (undo) => {
    const product = await openProduct({ name: 'middleware-stream' }, undo);
    const market = await openMarket(product.baseUrl());
    const meter = await Meter.open({ tollgate: market.builder, durability: 'memory' });
    undo(() => meter.close());
    return { market, calls: createCalls({ tollgate: market.builder, meter }) };
  });

  it('is a failed call if its reader gives up', async ({ market, calls }) => {
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(10)) });
    const handler = meterFetch(() => new Response(endless), calls, { tool: market.slug });
    const headers = { authorization: `Bearer ${market.pass}` };
    const answer = await handler(new Request('http://localhost/', { headers }));
    await answer.body?.cancel();
    await market.untilCounted({ successes: 0, failures: 1 });
  });
});
