import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../limits/network-of.ts';
import type { Logger } from '../../logging/create-logger.ts';
import { createTrustedProxies, noTrustedProxies, type TrustedProxies } from '../requests/client-address.ts';

/** How many connections clients may have open. */
export interface ConnectionBounds {
  readonly connectionsMax: number;
  readonly perAddressMax: number;
  /** A proxy has the connections of many callers, so the bound per address is not for it. */
  readonly trustedProxies: TrustedProxies;
}

export const defaultConnectionBounds: ConnectionBounds = {
  connectionsMax: 10_000,
  perAddressMax: 500,
  trustedProxies: noTrustedProxies,
};

interface ConnectionSettings {
  readonly HTTP_CONNECTIONS_MAX: number;
  readonly HTTP_CONNECTIONS_PER_ADDRESS_MAX: number;
  readonly TRUSTED_PROXIES?: string;
}

export function connectionBoundsOf(settings: ConnectionSettings): ConnectionBounds {
  return {
    connectionsMax: settings.HTTP_CONNECTIONS_MAX,
    perAddressMax: settings.HTTP_CONNECTIONS_PER_ADDRESS_MAX,
    trustedProxies: createTrustedProxies(settings.TRUSTED_PROXIES ?? ''),
  };
}

interface Connection {
  readonly socket: Socket;
  /** Undefined: a trusted proxy's. */
  readonly network: string | undefined;
  openAnswers: number;
  /** The turn of its last answer, or the one in which it was opened. Turns are cheaper than times. */
  idleSince: number;
}

/** For requests that do not come by an event of the server. */
export interface ConnectionNotes {
  /** The connection waits for an answer. */
  begin(socket: Socket): void;
  end(socket: Socket): void;
}

/**
 * At a bound, the connection that has been idle for longest is closed, and the new one is taken: connections on which
 * nothing is asked keep nobody out. One whose request has not arrived as a whole is idle too. Only if every connection
 * waits for an answer, the new one is closed.
 */
export function boundConnections(server: Server, bounds: ConnectionBounds, log: Logger): ConnectionNotes {
  const connections = createConnections();
  const noteClosed = createClosedLog(bounds, log);
  server.on('connection', (socket) => {
    const network = networkOfPeer(socket, bounds.trustedProxies);
    const peers = network === undefined ? undefined : connections.of(network);
    const hasRoom =
      makeRoom(peers ?? new Set(), bounds.perAddressMax) && makeRoom(connections.all, bounds.connectionsMax);
    if (hasRoom) connections.add({ socket, network });
    else {
      noteClosed('closed_new');
      socket.destroy();
    }
  });
  server.on('request', connections.noteRequest);
  return { begin: connections.begin, end: connections.end };

  function makeRoom(among: ReadonlySet<Connection>, max: number): boolean {
    if (among.size < max) return true;
    const longestIdle = findLongestIdle(among);
    if (longestIdle === undefined) return false;
    noteClosed('closed_idle');
    connections.remove(longestIdle);
    longestIdle.socket.destroy();
    return true;
  }
}

function createConnections() {
  const all = new Set<Connection>();
  const bySocket = new WeakMap<Socket, Connection>();
  const byNetwork = new Map<string, Set<Connection>>();
  let turn = 0;

  function of(network: string): ReadonlySet<Connection> {
    return byNetwork.get(network) ?? new Set();
  }

  function add({ socket, network }: Pick<Connection, 'socket' | 'network'>): void {
    const connection = { socket, network, openAnswers: 0, idleSince: ++turn };
    all.add(connection);
    bySocket.set(socket, connection);
    if (network !== undefined) byNetwork.set(network, (byNetwork.get(network) ?? new Set()).add(connection));
    socket.once('close', () => remove(connection));
  }

  function remove(connection: Connection): void {
    all.delete(connection);
    if (connection.network === undefined) return;
    const peers = byNetwork.get(connection.network);
    if (peers?.delete(connection) && peers.size === 0) byNetwork.delete(connection.network);
  }

  function noteRequest({ socket }: IncomingMessage, response: ServerResponse): void {
    begin(socket);
    response.on('close', noteAnswer);
  }

  function noteAnswer(this: ServerResponse): void {
    end(this.req.socket);
  }

  function begin(socket: Socket): void {
    const connection = bySocket.get(socket);
    if (connection !== undefined) connection.openAnswers += 1;
  }

  function end(socket: Socket): void {
    const connection = bySocket.get(socket);
    if (connection === undefined) return;
    connection.openAnswers -= 1;
    connection.idleSince = ++turn;
  }

  return { all, of, add, remove, begin, end, noteRequest };
}

/** A walk over all of them costs less than to keep them in order at each request, and is rare. */
function findLongestIdle(connections: ReadonlySet<Connection>): Connection | undefined {
  let longest: Connection | undefined;
  for (const each of connections) {
    if (each.openAnswers === 0 && (longest === undefined || each.idleSince < longest.idleSince)) longest = each;
  }
  return longest;
}

function networkOfPeer({ remoteAddress = '' }: Socket, trustedProxies: TrustedProxies): string | undefined {
  return trustedProxies.includes(remoteAddress) ? undefined : networkOf(remoteAddress);
}

/** One line per second at most. */
function createClosedLog({ connectionsMax, perAddressMax }: ConnectionBounds, log: Logger) {
  let closed = { closed_idle: 0, closed_new: 0 };
  return function noteClosed(which: 'closed_idle' | 'closed_new'): void {
    if (closed.closed_idle + closed.closed_new === 0) setTimeout(logClosed, 1_000).unref();
    closed[which] += 1;
  };

  function logClosed(): void {
    const facts = { ...closed, connections_max: connectionsMax, per_address_max: perAddressMax };
    log.warn(facts, 'closed connections at the limit');
    closed = { closed_idle: 0, closed_new: 0 };
  }
}
