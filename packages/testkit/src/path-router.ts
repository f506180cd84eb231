import { randomUUID } from 'node:crypto';
import { Agent, createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCodes } from '@tollgate/kernel/error-codes';
import { problemMediaType, problemTypeOf, type Problem } from '@tollgate/contracts/forms/problem';
import type { ServiceName } from '@tollgate/contracts/routes/route';
import { serviceFor } from '@tollgate/contracts/routes/routes';
import { endToEndHeaders } from './end-to-end-headers.ts';
import { eventually } from './eventually.ts';
import { listenLocally } from './listen-locally.ts';

/** One base URL for several processes. Each request goes to a ready process of the service for its path. */
export interface PathRouter {
  readonly baseUrl: string;
  /** Sends requests to the process while it is ready by /readyz. Resolves when it is ready for the first time. */
  add(service: ServiceName, url: string): Promise<void>;
  remove(url: string): void;
  /** Failed requests in words: answered 5xx, broken off, or without a ready process. */
  failures(): readonly string[];
  close(): Promise<void>;
}

interface Backend {
  readonly service: ServiceName;
  readonly url: string;
  isReady: boolean;
}

interface Passage {
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly response: ServerResponse;
}

const startPatienceMs = 20_000;
/** As long as an edge keeps them. A client may send on a connection at the moment when the server closes it as idle. */
const keepAliveMs = 75_000;
const ownHeaders = { 'content-type': problemMediaType, 'retry-after': '1' };

export interface PathRouterOptions {
  /** A free port if none is given. */
  readonly port?: number;
  /** How often each process is asked whether it is ready. */
  readonly askEveryMs?: number;
}

export async function startPathRouter({ port = 0, askEveryMs = 50 }: PathRouterOptions = {}): Promise<PathRouter> {
  const agent = new Agent({ keepAlive: true });
  const failures: string[] = [];
  let backends: Backend[] = [];
  const closing = new AbortController();
  const server = createServer((request, response) => {
    const isGone = (): void => void response.destroy(); // the caller hung up before its body was here
    void buffer(request).then((body) => pass({ request, body, response }), isGone);
  });
  server.keepAliveTimeout = keepAliveMs;
  const baseUrl = `http://127.0.0.1:${await listenLocally(server, port)}`;
  void watch();

  /** Picks the backend that waited longest. If that refuses the connection, it has no request, and the next one gets it. */
  function pass(passage: Passage): void {
    const { request, body, response } = passage;
    const service = serviceFor(request.method ?? '', (request.url ?? '').split('?')[0] ?? '');
    const backend = backends.find((each) => each.service === service && each.isReady);
    if (backend === undefined) return fail(passage, 'no process is ready');
    backends = [...backends.filter((each) => each !== backend), backend];
    const { method } = request;
    const headers = endToEndHeaders(request.headers);
    const forwarded = send(new URL(request.url ?? '/', backend.url), { agent, method, headers }, (answer) => {
      if (answer.headers.connection === 'close') void ask(backend); // it may be about to end, or dislike this request
      if ((answer.statusCode ?? 500) >= 500) failures.push(`${method} ${request.url}: ${statusOf(answer)}`);
      response.writeHead(answer.statusCode ?? 500, endToEndHeaders(answer.headers));
      answer.pipe(response);
    });
    forwarded.on('error', (error: NodeJS.ErrnoException) => {
      backend.isReady = false;
      if (error.code === 'ECONNREFUSED') pass(passage);
      else fail(passage, error.message);
    });
    forwarded.end(body);
  }

  function fail({ request, response }: Passage, reason: string): void {
    failures.push(`${request.method} ${request.url}: ${reason}`);
    if (response.headersSent) response.destroy();
    else response.writeHead(503, ownHeaders).end(JSON.stringify(unavailable(request)));
  }

  async function watch(): Promise<void> {
    while (!closing.signal.aborted) {
      await Promise.all(backends.map(ask));
      await sleep(askEveryMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  async function ask(backend: Backend): Promise<boolean> {
    backend.isReady = await fetch(`${backend.url}/readyz`, { headers: { connection: 'close' } }).then(
      (answer) => answer.ok,
      () => false,
    );
    return backend.isReady;
  }

  return {
    baseUrl,
    async add(service, url) {
      const backend = { service, url, isReady: false };
      backends.push(backend);
      await eventually(() => ask(backend), { withinMs: startPatienceMs });
    },
    remove(url) {
      backends = backends.filter((each) => each.url !== url);
    },
    failures: () => failures,
    async close() {
      closing.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      agent.destroy();
    },
  };
}

function unavailable({ url = '/' }: IncomingMessage): Problem {
  return {
    type: problemTypeOf('unavailable'),
    ...errorCodes.unavailable,
    detail: 'The service is not there at the moment.',
    instance: url.split('?')[0] ?? '/',
    code: 'unavailable',
    request_id: randomUUID(),
  };
}

function statusOf({ statusCode, headers }: IncomingMessage): string {
  const retryAfter = headers['retry-after'];
  return retryAfter === undefined ? String(statusCode) : `${statusCode}, Retry-After: ${retryAfter}`;
}
