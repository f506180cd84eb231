import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { serveHttp, type HttpServer } from '@tollgate/testkit/http-server';

type Handler = (request: Request) => Promise<Response> | Response;

/** Serves a handler of `fetch`'s shape over real sockets. A client that hangs up cancels the body of its answer. */
export async function serveFetch(handler: Handler): Promise<HttpServer> {
  return serveHttp((request, response) => void answer(handler, request, response));
}

async function answer(handler: Handler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, headers, body } = await handler(await toRequest(request, signalOf(response)));
  response.writeHead(status, Object.fromEntries(headers)).flushHeaders();
  if (body === null) return void response.end();
  await pipeline(Readable.fromWeb(body as ReadableStream), response).catch(() => undefined); // the client hung up
}

async function toRequest(request: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const { method = 'GET', url = '/', headers } = request;
  const body = method === 'POST' ? { body: await buffer(request) } : {};
  return new Request(`http://localhost${url}`, { method, headers: headers as Record<string, string>, signal, ...body });
}

/** It aborts when the client hangs up, as the platforms that serve `fetch` do it. */
function signalOf(response: ServerResponse): AbortSignal {
  const hungUp = new AbortController();
  response.once('close', () => void (response.writableEnded || hungUp.abort()));
  return hungUp.signal;
}
