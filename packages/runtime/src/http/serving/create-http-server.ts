/**
 * The listener, with a limit on everything that a client can prolong or pile up, and a stop that fails no request:
 *   1. draining: /readyz says so, each answer closes its connection, and for a moment the server still takes requests;
 *   2. closing: the server accepts nothing new, closes idle connections and lets running requests end;
 *   3. after the deadline it closes the remaining connections.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock, type Clock } from '@tollgate/kernel/clock';
import type { Checks, Service } from '@tollgate/kernel/service';
import type { Logger } from '../../logging/create-logger.ts';
import { answerMalformed, refuseTunnel } from './answer-malformed.ts';
import { boundConnections, defaultConnectionBounds, type ConnectionBounds } from './bound-connections.ts';
import { createHealth } from './health.ts';
import { readPlainConnections, type PlainConnections, type TakePlain } from './plain-connections.ts';
import { invalidRequest } from '../requests/invalid-request.ts';
import { createOpenResponses } from './open-responses.ts';
import { sendProblem } from '../answers/send-problem.ts';

export interface Handle {
  (request: IncomingMessage, response: ServerResponse): void;
  /** Sees common requests first. Default: Node's server reads them all. */
  readonly takePlain?: TakePlain | undefined;
}

export interface HttpServerOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly log: Logger;
  readonly name?: string;
  /** The time that /livez says. Default: the machine's. */
  readonly clock?: Pick<Clock, 'now'>;
  /** The checks of /readyz; without them the server is always ready. */
  readonly readiness?: () => Checks;
  /** For listeners that strangers cannot reach: /readyz names the parts. */
  readonly showsChecks?: boolean;
  /** How long a stopping server still takes requests. */
  readonly lingerMs?: number;
  readonly drainMs?: number;
  /** Each connection takes memory, and many of one caller would keep out the others. */
  readonly connections?: ConnectionBounds;
  /** An idle connection is closed after so long. */
  readonly keepAliveTimeoutMs?: number;
  /** Headers that take longer are answered with 408 (slowloris). */
  readonly headersTimeoutMs?: number;
  /** A request that takes longer as a whole is answered with 408. */
  readonly requestTimeoutMs?: number;
}

export interface HttpServer extends Service {
  /** Where it listens; known after `start`. */
  address(): { readonly host: string; readonly port: number };
}

const limits = {
  maxHeaderSize: 16 * 1_024,
  requireHostHeader: false, // `answer` checks it, so that the refusal is a problem document
} as const;

export function createHttpServer(handle: Handle, options: HttpServerOptions): HttpServer {
  const { host, port, log, clock = systemClock, lingerMs = 250, drainMs = 8_000 } = options;
  const open = createOpenResponses();
  const readiness = options.readiness ?? (() => ({}));
  const answerHealth = createHealth({
    readiness,
    isStopping: open.isClosing,
    showsChecks: options.showsChecks ?? false,
    clock,
    log,
  });
  const server = createServer({ ...limits, ...timeouts(options) }, answer);
  server.on('clientError', (error, socket) => answerMalformed({ error, socket, pending: open.on(socket) }));
  const notes = boundConnections(server, options.connections ?? defaultConnectionBounds, log);
  const { takePlain } = handle;
  const plain = takePlain && readPlainConnections(server, { takePlain, open, notes });
  server.on('connect', (_request, socket) => refuseTunnel(socket));
  server.on('checkExpectation', (request, response) =>
    sendProblem(request, response, invalidRequest('Expectations other than 100-continue are not known.')),
  );

  function answer(request: IncomingMessage, response: ServerResponse): void {
    open.add(request, response);
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      response.shouldKeepAlive = false;
      sendProblem(request, response, invalidRequest('HTTP/1.1 requires a Host header.'));
    } else if (!answerHealth(request, response)) handle(request, response);
  }

  async function stop(): Promise<void> {
    if (!server.listening) return;
    open.close();
    await wait(lingerMs);
    await closeServer({ server, plain }, drainMs);
  }

  return {
    name: options.name ?? 'http',
    start: async () => {
      await listen(server, host, port);
      log.info({ listener: options.name ?? 'http', host, port: addressOf(server).port }, 'listening');
    },
    stop,
    handle,
    address: () => ({ host, port: addressOf(server).port }),
  };
}

/** The usual balancer keeps its connections for 60 s. It would write into a connection that closes earlier. */
const keepAliveMs = 65_000;

function timeouts(options: HttpServerOptions) {
  const { keepAliveTimeoutMs = keepAliveMs, headersTimeoutMs = 10_000, requestTimeoutMs = 30_000 } = options;
  // Node's default of 30 s would prolong the timeouts by as much. Looking more often wakes idle processes.
  const connectionsCheckingInterval = Math.min(headersTimeoutMs, requestTimeoutMs) / 4;
  return {
    keepAliveTimeout: keepAliveTimeoutMs,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval,
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // The listen backlog, capped by Linux's somaxconn. When it is full, Linux drops new connections and the client retries
    // after seconds.
    server.listen({ host, port, backlog: 4_096 }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

interface Closed {
  readonly server: Server;
  readonly plain: PlainConnections | undefined;
}

function closeServer({ server, plain }: Closed, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cutOff = setTimeout(() => {
      server.closeAllConnections();
      plain?.closeAll();
    }, drainMs);
    server.close(() => {
      clearTimeout(cutOff);
      resolve();
    });
    plain?.closeIdle();
  });
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port');
  return address;
}
