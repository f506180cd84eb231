import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Tollgate } from '@tollgate/sdk';

import { nowMs } from '../clock.ts';
import type { MeteringPorts } from '../meter-handlers.ts';
import { protectedResource, type ProtectedResource } from '../protected-resource.ts';
import { messageBytesMaxDefault, type Upstream } from '../open-upstream.ts';
import { hostsOf } from './admit-request.ts';
import { createAdmitCall } from './admit-call.ts';
import { createAnswerRequest } from './answer-request.ts';
import { createPassCheck } from './pass-check.ts';
import { createServeMessages } from './serve-messages.ts';
import { createSessions, type SessionLimits } from './sessions.ts';

export interface ListenOptions extends Partial<SessionLimits> {
  readonly upstream: Upstream;
  /** Without an `ownKey`: nobody is charged to the key of the one who starts the proxy. */
  readonly ports: MeteringPorts;
  /** The client of the builder's account. It asks whether a bearer token is a pass. */
  readonly tollgate: Tollgate;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Further names of hosts under which the proxy is asked for, without a port. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** The origins of browsers' pages that may ask. Default: none. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /**
   * The URL under which clients know this server, and which its tools name at Tollgate. With it OAuth tokens are good, too, and
   * callers without one are told where to sign in.
   */
  readonly resource?: string | URL | undefined;
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
  const known = [...allowedHosts, ...hostsOfResource(options)];
  const rules = { hosts: [...toHosts(host, known), ...known], origins, isFree };
  const resource = toProtected(options);
  const passCheck = createPassCheck({ tollgate, resource: resource?.resource, nowMs });
  const { toolOf, onError } = ports;
  const admitCall = createAdmitCall({ tollgate, passCheck, toolOf, resource, nowMs, onError });
  const asking = { rules, passCheck, resource, admitCall, sessions, serve, messageBytesMax };
  const answer = createAnswerRequest({ ...asking, onError });
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

function toProtected({ tollgate, resource }: ListenOptions): ProtectedResource | undefined {
  return resource === undefined ? undefined : protectedResource({ tollgate, resource });
}

/** Clients ask for the server by the name of its resource, also where something stands before it. */
function hostsOfResource({ resource }: ListenOptions): readonly string[] {
  return resource === undefined ? [] : [new URL(resource).hostname];
}

function toHosts(host: string, allowed: readonly string[]): readonly string[] {
  const hosts = hostsOf(host);
  if (hosts !== undefined) return hosts;
  if (allowed.length > 0) return [];
  throw new Error(`${host} stands for every address of this machine: name those that clients use by --allow-host`);
}
