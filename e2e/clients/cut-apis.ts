import { meterExpress } from '@tollgate/middleware/express';
import { meterFastify } from '@tollgate/middleware/fastify';
import { meterFetch } from '@tollgate/middleware/fetch';
import { meterHono } from '@tollgate/middleware/hono';
import type { BeginCall, CallMetadata } from '@tollgate/sdk/calls';
import { serveHttp, type HttpServer } from '@tollgate/testkit/http-server';
import express from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { serveFetch } from './serve-fetch.ts';

/** More than the buffers of a connection hold. */
export const largeBytes = 64 * 1024 * 1024;

interface Answer {
  readonly status: number;
  readonly isWhole: boolean;
  readonly cutBy: string | undefined;
  readonly deliveredBytes: number;
}

export interface CutOptions {
  readonly tool: string;
  readonly failed?: (answer: Answer) => boolean;
  readonly metadata?: (request: unknown, answer: Answer) => CallMetadata;
}

type Serve = (calls: BeginCall, options: CutOptions) => Promise<HttpServer>;

const bodyOf = (url: string): Buffer =>
  url.includes('large') ? Buffer.alloc(largeBytes, 'x') : Buffer.from('12 degrees');
const fetchAnswer = ({ url }: Request): Response => new Response(new Uint8Array(bodyOf(url)));

/** `/weather` answers every method, in one piece: `/weather?large` by a large one. */
export const bufferedApis: Readonly<Record<string, Serve>> = {
  Express: (calls, options) => {
    const app = express();
    app.use('/weather', meterExpress(calls, options), (request, response) => void response.send(bodyOf(request.url)));
    return serveHttp(app);
  },
  Fastify: async (calls, options) => {
    const app = fastify();
    const onRequest = meterFastify(calls, options);
    app.route({
      method: ['GET', 'OPTIONS'],
      url: '/weather',
      onRequest,
      handler: async (request, reply) => reply.send(bodyOf(request.url)),
    });
    await app.ready();
    return serveHttp((request, response) => app.routing(request, response));
  },
  Hono: async (calls, options) => {
    const app = new Hono();
    app.use('/weather', meterHono(calls, options));
    app.all('/weather', ({ req }) => fetchAnswer(req.raw));
    return serveFetch((request) => app.fetch(request));
  },
  'a fetch handler': async (calls, options) => serveFetch(meterFetch(fetchAnswer, calls, options)),
};

/** Sends all that it announced, and never ends. */
export const endlessApis: Readonly<Record<string, Serve>> = {
  Express: (calls, options) => {
    const app = express();
    app.use('/weather', meterExpress(calls, options), (_request, response) => {
      response.setHeader('content-length', 10);
      response.write('12 degrees');
    });
    return serveHttp(app);
  },
  Fastify: async (calls, options) => {
    const app = fastify();
    app.get('/weather', { onRequest: meterFastify(calls, options) }, (_request, reply) => {
      reply.hijack();
      reply.raw.setHeader('content-length', 10);
      reply.raw.write('12 degrees');
    });
    await app.ready();
    return serveHttp((request, response) => app.routing(request, response));
  },
};
