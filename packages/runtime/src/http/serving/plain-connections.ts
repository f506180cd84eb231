/**
 * Reads connections as long as their requests are common ones that came in one or two pieces, and answers them without Node's
 * streams of a request and an answer, which cost a quarter of the process's CPU: docs/decisions/0259. With the first bytes that are
 * anything else, a connection becomes one of Node's server, for good.
 *
 *   reading ──a plain request──▶ answering ──▶ reading …
 *      │                             │ more bytes came meanwhile
 *      └──▶ left to Node's server ◀──┘
 */
import { IncomingMessage, STATUS_CODES, ServerResponse, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock } from '@tollgate/kernel/clock';
import type { ConnectionNotes } from './bound-connections.ts';
import type { OpenResponses } from './open-responses.ts';
import { readPlainRequest, type PlainRequest } from './read-plain-request.ts';

/** A request and its answer, as Node has them. */
export interface Messages {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A plain request that waits for its answer. It gets one, by `answer` or by the messages. */
export interface PlainExchange {
  readonly request: PlainRequest;
  /** Sends a whole answer. `head`: names and values in turn, with the length of the text. False: the client has gone. */
  answer(status: number, head: readonly string[], text: string): boolean;
  /** For those who go on with it as with all other requests. */
  toMessages(): Messages;
}

/** Takes a plain request for itself, or returns false before it has any effect: then Node's server gets it. */
export type TakePlain = (exchange: PlainExchange) => boolean;

export interface PlainConnections {
  /** Closes the connections on which nobody waits for an answer. */
  closeIdle(): void;
  closeAll(): void;
}

interface PlainOptions {
  readonly takePlain: TakePlain;
  readonly open: Pick<OpenResponses, 'add' | 'isClosing'>;
  readonly notes: ConnectionNotes;
}

interface Ways extends PlainOptions {
  readonly server: Server;
  readonly connections: Set<PlainConnection>;
  leave(socket: Socket): void;
}

/** The second piece follows the first at once, or the client is slow: then Node's server keeps its deadlines. */
const secondPieceMs = 100;

/** How much longer an idle connection stays than its client is told, as Node has it: a request may be on its way. */
const keepAliveBufferMs = 1_000;

/** Reads the connections of a server that has not started yet, before its own listener does, which is its first. */
export function readPlainConnections(server: Server, options: PlainOptions): PlainConnections {
  const own = server.listeners('connection')[0] as (this: Server, socket: Socket) => void;
  server.off('connection', own);
  const connections = new Set<PlainConnection>();
  const ways = { ...options, server, connections, leave: own.bind(server) };
  server.prependListener('connection', (socket) => void connections.add(new PlainConnection(ways, socket)));
  return {
    closeIdle: () => connections.forEach((connection) => connection.closeIdle()),
    closeAll: () => connections.forEach((connection) => connection.destroy()),
  };
}

class PlainConnection {
  readonly #ways: Ways;
  readonly #socket: Socket;
  #hasAsked = false;
  #isAnswering = false;
  /** The first piece of a request. */
  #begun: Buffer | undefined = undefined;
  /** Bytes that came before the answer to those before them. */
  #early: Buffer[] = [];

  constructor(ways: Ways, socket: Socket) {
    this.#ways = ways;
    this.#socket = socket;
    socket.setTimeout(ways.server.headersTimeout); // a connection that says nothing for so long is answered with 408
    socket.on('data', this.#onData).on('end', this.#onEnd).on('timeout', this.#onTimeout);
    socket.on('error', ignore).on('close', this.#onClose);
  }

  readonly #onData = (piece: Buffer): void => {
    if (this.#isAnswering) {
      this.#early.push(piece);
      this.#socket.pause();
      return;
    }
    const bytes = this.#begun === undefined ? piece : Buffer.concat([this.#begun, piece]);
    const isReadHere = !this.#ways.open.isClosing() && this.#socket.writableLength === 0;
    const request = isReadHere ? readPlainRequest(bytes) : undefined;
    if (request === 'incomplete' && this.#begun === undefined) this.#await(bytes);
    else if (request === undefined || request === 'incomplete' || !this.#take(request)) this.#leave(bytes);
  };

  #await(bytes: Buffer): void {
    this.#begun = bytes;
    this.#socket.setTimeout(secondPieceMs);
  }

  #take(request: PlainRequest): boolean {
    const { server, notes, takePlain } = this.#ways;
    if (!this.#hasAsked || this.#begun !== undefined)
      this.#socket.setTimeout(server.keepAliveTimeout + keepAliveBufferMs);
    this.#hasAsked = true;
    this.#begun = undefined;
    this.#isAnswering = true;
    notes.begin(this.#socket);
    if (takePlain(new Exchange(this.#ways, this.#socket, request, this.#onAnswered))) return true;
    this.#isAnswering = false;
    notes.end(this.#socket);
    return false;
  }

  readonly #onAnswered = (): void => {
    this.#isAnswering = false;
    this.#ways.notes.end(this.#socket);
    if (this.#early.length === 0) return;
    this.#leave(Buffer.concat(this.#early));
    this.#socket.resume();
  };

  #leave(bytes: Buffer): void {
    const socket = this.#socket;
    if (!socket.writable) return; // nobody can be answered any more
    this.#forget();
    this.#ways.leave(socket);
    socket.unshift(bytes);
  }

  #forget(): void {
    this.#ways.connections.delete(this);
    this.#socket.setTimeout(0);
    this.#socket.off('data', this.#onData).off('end', this.#onEnd).off('timeout', this.#onTimeout);
    this.#socket.off('error', ignore).off('close', this.#onClose);
  }

  /** The client sends no more. Node's server answers half a request then, and no request that waits for its answer. */
  readonly #onEnd = (): void => {
    if (this.#begun === undefined) this.#socket.end();
    else this.#refuse('HPE_INVALID_EOF_STATE');
  };

  readonly #onTimeout = (): void => {
    if (this.#isAnswering) return;
    if (this.#begun !== undefined) this.#leave(this.#begun);
    else if (this.#hasAsked) this.#socket.destroy();
    else this.#refuse('ERR_HTTP_REQUEST_TIMEOUT');
  };

  /** As Node's server does it, with its code. */
  #refuse(code: string): void {
    this.#ways.server.emit('clientError', Object.assign(new Error('no whole request came'), { code }), this.#socket);
  }

  readonly #onClose = (): void => void this.#ways.connections.delete(this);

  closeIdle(): void {
    if (this.#begun !== undefined) this.#leave(this.#begun);
    else if (!this.#isAnswering) this.#socket.destroy();
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

function ignore(): void {
  // the connection is gone: 'close' follows
}

class Exchange implements PlainExchange {
  readonly request: PlainRequest;
  readonly #ways: Ways;
  readonly #socket: Socket;
  readonly #onAnswered: () => void;
  #isUsed = false;

  // oxlint-disable-next-line max-params -- one object per request, and not two
  constructor(ways: Ways, socket: Socket, request: PlainRequest, onAnswered: () => void) {
    this.#ways = ways;
    this.#socket = socket;
    this.request = request;
    this.#onAnswered = onAnswered;
  }

  answer(status: number, head: readonly string[], text: string): boolean {
    this.#use();
    const keepsAlive = this.request.keepsAlive && !this.#ways.open.isClosing();
    const isSent = this.#socket.writable;
    if (isSent) {
      this.#socket.write(
        `${toHead(status, head)}${keepsAlive ? this.#keepAlive() : 'Connection: close\r\n'}\r\n${text}`,
      );
      if (!keepsAlive) this.#socket.destroySoon();
    }
    this.#onAnswered();
    return isSent;
  }

  #keepAlive(): string {
    return `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(this.#ways.server.keepAliveTimeout / 1_000)}\r\n`;
  }

  /** A second answer would be taken for that of the next request. */
  #use(): void {
    if (this.#isUsed) throw new Error('a request has one answer');
    this.#isUsed = true;
  }

  /** Does what Node's server does around its own messages. */
  toMessages(): Messages {
    this.#use();
    const { open, server } = this.#ways;
    const socket = this.#socket;
    const { method, url, rawHeaders, headers, body, keepsAlive } = this.request;
    const request = new IncomingMessage(socket);
    const version = { httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 };
    Object.assign(request, version, { method, url, headers, rawHeaders: [...rawHeaders], complete: true });
    request.push(body);
    request.push(null);
    const response: NodesResponse = new ServerResponse(request);
    response.shouldKeepAlive = keepsAlive;
    response._keepAliveTimeout = server.keepAliveTimeout;
    const onDrain = (): void => void response.emit('drain');
    socket.on('drain', onDrain);
    response.once('finish', () => {
      response.detachSocket(socket);
      if (response._last) socket.destroySoon();
      response.destroy(); // it has no socket any more, so this says 'close' and nothing else
    });
    response.once('close', () => {
      socket.off('drain', onDrain);
      if (!response.writableFinished) request.destroy(); // its readers hear that the client has gone
      this.#onAnswered();
    });
    open.add(request, response);
    if (socket.destroyed) setImmediate(() => response.destroy()); // its 'close' was before anybody listened
    else response.assignSocket(socket);
    return { request, response };
  }
}

/** With what Node's server tells its answers, and they tell it. */
interface NodesResponse extends ServerResponse {
  _keepAliveTimeout?: number;
  /** Its head says that the connection ends. */
  readonly _last?: boolean;
}

function toHead(status: number, head: readonly string[]): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
  for (let at = 0; at < head.length; at += 2) text += `${head[at]}: ${head[at + 1]}\r\n`;
  return `${text}Date: ${dateOfAnswers()}\r\n`;
}

let date = { second: 0, text: '' };

function dateOfAnswers(): string {
  const second = Math.floor(systemClock.now() / 1_000);
  if (date.second !== second) date = { second, text: new Date(second * 1_000).toUTCString() };
  return date.text;
}
