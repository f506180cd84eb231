import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { meterExpress } from '@tollgate/middleware/express';
import { meterFastify } from '@tollgate/middleware/fastify';
import { meterFetch } from '@tollgate/middleware/fetch';
import { meterHono } from '@tollgate/middleware/hono';
import type { BeginCall } from '@tollgate/sdk/calls';
import express from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';

export interface GatedApi {
  ask(init: RequestInit): Promise<Response>;
  close(): void;
}

interface ApiOptions {
  readonly calls: BeginCall;
  readonly tool: string;
  /** The handler of the API's one route. */
  handle(): string;
  /** The server has seen that a client hung up. */
  onHungUp(): void;
}

type OpenApi = (options: ApiOptions) => Promise<GatedApi>;

/** The same API with each framework that the middleware knows. */
export const gatedApis: Readonly<Record<string, OpenApi>> = {
  Express: ({ calls, tool, handle, onHungUp }) => {
    const app = express();
    app.get('/', meterExpress(calls, { tool }), (_request, response) => void response.send(handle()));
    return listen(app, onHungUp);
  },
  Fastify: async ({ calls, tool, handle, onHungUp }) => {
    const app = fastify();
    app.get('/', { onRequest: meterFastify(calls, { tool }) }, async () => handle());
    await app.ready();
    return listen((request, response) => app.routing(request, response), onHungUp);
  },
  Hono: async ({ calls, tool, handle, onHungUp }) => {
    const app = new Hono();
    app.use('/', meterHono(calls, { tool }));
    app.get('/', (context) => context.text(handle()));
    return inProcess(async (request) => app.request(request), onHungUp);
  },
  'a fetch handler': async ({ calls, tool, handle, onHungUp }) =>
    inProcess(
      meterFetch(() => new Response(handle()), calls, { tool }),
      onHungUp,
    ),
};

async function listen(listener: RequestListener, onHungUp: () => void): Promise<GatedApi> {
  const server = createServer((request, response) => {
    response.once('close', onHungUp);
    listener(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { ask: (init) => fetch(`http://127.0.0.1:${port}/`, init), close: () => server.close() };
}

function inProcess(serve: (request: Request) => Promise<Response>, onHungUp: () => void): GatedApi {
  return {
    ask(init) {
      const request = new Request('http://localhost/', init);
      request.signal.addEventListener('abort', onHungUp);
      return serve(request);
    },
    close: () => undefined,
  };
}
