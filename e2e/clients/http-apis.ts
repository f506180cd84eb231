import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { meterExpress } from '@tollgate/middleware/express';
import { meterFastify } from '@tollgate/middleware/fastify';
import { meterFetch } from '@tollgate/middleware/fetch';
import { meterHono } from '@tollgate/middleware/hono';
import type { BeginCall, CallMetadata } from '@tollgate/sdk/calls';
import { serveHttp, type HttpServer } from '@tollgate/testkit/http-server';
import express, { type Request as ExpressRequest } from 'express';
import { fastify } from 'fastify';
import { Hono, type Context } from 'hono';
import { serveFetch } from './serve-fetch.ts';

export interface ApiOptions {
  readonly calls: BeginCall;
  readonly tool: string;
  /** The body of each answer. */
  readonly source: () => ReadableStream<Uint8Array>;
  /** Picks metadata from the address of a request. */
  readonly pick?: ((url: string) => CallMetadata) | undefined;
  /** The body is an event stream, whose usage is read so. */
  readonly events?: Pick<Parameters<typeof meterExpress>[1], 'usage' | 'charge' | 'most'> | undefined;
}

const eventStream = { 'content-type': 'text/event-stream' };

type Serve = (options: ApiOptions) => Promise<HttpServer>;

const readable = (stream: ReadableStream<Uint8Array>) => Readable.fromWeb(stream as NodeReadableStream);

function pickFrom<Asked>(pick: ApiOptions['pick'], urlOf: (asked: Asked) => string) {
  return pick === undefined ? {} : { metadata: (asked: Asked) => pick(urlOf(asked)) };
}

/** Servers on real sockets, whose `/weather` answers with a stream. */
export const streamingApis: Readonly<Record<string, Serve>> = {
  Express: async ({ calls, tool, source, pick, events }) => {
    const app = express();
    const metadata = pickFrom(pick, ({ url }: ExpressRequest) => url);
    app.get('/weather', meterExpress(calls, { tool, ...metadata, ...events }), (_request, response) => {
      if (events !== undefined) response.writeHead(200, eventStream);
      void pipeline(readable(source()), response).catch(() => undefined); // a side hung up
    });
    return serveHttp(app);
  },
  Fastify: async ({ calls, tool, source, pick, events }) => {
    const app = fastify();
    const metadata = pickFrom(pick, ({ url }: { url: string }) => url);
    const onRequest = meterFastify(calls, { tool, ...metadata, ...events });
    app.get('/weather', { onRequest }, (_request, reply) =>
      reply.headers(events === undefined ? {} : eventStream).send(readable(source())),
    );
    await app.ready();
    return serveHttp((request, response) => app.routing(request, response));
  },
  Hono: async ({ calls, tool, source, pick, events }) => {
    const app = new Hono();
    app.use('/weather', meterHono(calls, { tool, ...pickFrom(pick, ({ req }: Context) => req.url), ...events }));
    app.get('/weather', (context) => context.body(source(), 200, events === undefined ? {} : eventStream));
    return serveFetch((request) => app.fetch(request));
  },
  'a fetch handler': async ({ calls, tool, source, pick, events }) => {
    const options = { tool, ...pickFrom(pick, ({ url }: Request) => url), ...events };
    const headers = events === undefined ? {} : eventStream;
    return serveFetch(meterFetch(() => new Response(source(), { headers }), calls, options));
  },
};
