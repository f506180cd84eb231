import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Tollgate } from '@tollgate/sdk';

import { nowMs } from '../clock.ts';
import type { MeteringPorts } from '../meter-handlers.ts';
import { messageBytesMaxDefault, type Upstream } from '../open-upstream.ts';
import { hostsOf } from './admit-request.ts';
import { createAnswerRequest } from './answer-request.ts';
import { createPassCheck } from './pass-check.ts';
import { createServeMessages } from './serve-messages.ts';
import { createSessions, type SessionLimits } from './sessions.ts';

export interface ListenOptions extends Partial<SessionLimits> {
  readonly upstream: Upstream;
  /** Without an `ownKey`: nobody is charged to the key of the one who starts the proxy. */
  readonly ports: MeteringPorts;
  /** Any client of Tollgate. It asks whether a bearer token is a pass. */
  readonly tollgate: Tollgate;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Further names of hosts under which the proxy is asked for, without a port. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** The origins of browsers' pages that may ask. Default: none. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Serves callers without a bearer token, too. */
  readonly isFree?: boolean | undefined;
  /** The most bytes of one message, either way. Default: 256 MiB. */
  readonly messageBytesMax?: number | undefined;
}

export interface Listening {
  /** The address for clients. */
  readonly url: string;
  /** Takes no more requests, ends every server, and resolves when all calls are recorded. */
  close(): Promise<void>;
}

const sessionsMaxDefault = 100;
const idleMsDefault = 1_800_000;
const tendEveryMs = 1_000;

/**
 * Serves a server that nobody can change over streamable HTTP, and meters the calls. Each caller pays by the pass that it
 * sends as its bearer token, which goes no further. Rejects if the address cannot be listened on.
 */
export async function listenProxy(options: ListenOptions): Promise<Listening> {
  const { ports, tollgate, host, port, messageBytesMax = messageBytesMaxDefault } = options;
  const { sessionsMax = sessionsMaxDefault, idleMs = idleMsDefault } = options;
  const sessions = createSessions({ sessionsMax, idleMs }, nowMs);
  const serve = createServeMessages({ sessions, upstream: options.upstream, ports, messageBytesMax });
  const { allowedHosts = [], allowedOrigins: origins = [], isFree = false } = options;
  const rules = { hosts: [...toHosts(host, allowedHosts), ...allowedHosts], origins, isFree };
  const isLivePass = createPassCheck(tollgate, nowMs);
  const answer = createAnswerRequest({ rules, isLivePass, sessions, serve, messageBytesMax, onError: ports.onError });
  const server = createServer((request: IncomingMessage, response: ServerResponse) => void answer(request, response));
  await once(server.listen(port, host), 'listening');
  const tending = setInterval(sessions.endIdle, Math.min(tendEveryMs, idleMs)).unref();
  const { port: taken } = server.address() as AddressInfo; // it listens on a port, not on a pipe
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}/mcp`,
    async close() {
      clearInterval(tending);
      const closed = once(server, 'close');
      server.close();
      await Promise.all([sessions.endAll(), serve.end()]);
      server.closeAllConnections(); // their answers are written
      await closed;
    },
  };
}

function toHosts(host: string, allowed: readonly string[]): readonly string[] {
  const hosts = hostsOf(host);
  if (hosts !== undefined) return hosts;
  if (allowed.length > 0) return [];
  throw new Error(`${host} stands for every address of this machine: name those that clients use by --allow-host`);
}
