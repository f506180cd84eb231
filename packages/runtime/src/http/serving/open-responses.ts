import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The answers that have not ended. A stop must let them end, and a broken request must not mix with an earlier answer. */
export interface OpenResponses {
  add(request: IncomingMessage, response: ServerResponse): void;
  /** From now on every answer closes its connection. */
  close(): void;
  isClosing(): boolean;
  /** The latest answer of a connection, if it has not ended. */
  on(socket: Duplex): ServerResponse | undefined;
}

/** How long the rest of an unread body is read and dropped after the answer, so that the answer arrives. */
const unreadBodyMs = 2_000;

interface OpenResponse {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** How many came before it. */
  readonly number: number;
  /** Where it lies in the array of all. */
  place: number;
}

const entryKey = Symbol('tollgate.openResponse');

type Carrier = ServerResponse & { [entryKey]?: OpenResponse };

/**
 * An array, and not a set: a set that grows and shrinks makes a new table every so often, and the old table leads to the
 * new one. So each answer outlived collections of the young generation, until everything was collected. Nor a map by
 * socket, which would keep the last answer of each idle connection.
 */
export function createOpenResponses(): OpenResponses {
  const open: OpenResponse[] = [];
  let added = 0;
  let closing = false;

  function add(request: IncomingMessage, response: Carrier): void {
    const entry = { request, response, number: ++added, place: open.length };
    open.push(entry);
    if (closing) response.shouldKeepAlive = false;
    response[entryKey] = entry;
    response.on('close', onClose); // one function for all answers: with `once` and a closure, each would have three more objects
  }

  function onClose(this: Carrier): void {
    const entry = this[entryKey];
    if (entry === undefined) return;
    remove(entry);
    if (!entry.request.complete) dropBody(entry.request);
  }

  /** The last one takes its place. */
  function remove({ place }: OpenResponse): void {
    const last = open.pop();
    if (last === undefined || last.place === place) return;
    open[place] = last;
    last.place = place;
  }

  function close(): void {
    closing = true;
    for (const { response } of open) response.shouldKeepAlive = false;
  }

  /** Walks over all: only broken requests ask. */
  function on(socket: Duplex): ServerResponse | undefined {
    let latest: OpenResponse | undefined;
    for (const each of open) {
      if (each.response.req.socket === socket && each.number > (latest?.number ?? 0)) latest = each;
    }
    return latest?.response;
  }

  return { add, close, isClosing: () => closing, on };
}

/**
 * The answer ended before the body was read (401, 413, …). Closing at once would reset the connection and lose the answer
 * on its way. Reading without a limit would let the client send for ever.
 */
function dropBody(request: IncomingMessage): void {
  const { socket } = request;
  if (socket.destroyed) return;
  request.resume();
  const cutOff = setTimeout(() => {
    if (!request.complete) socket.destroy();
  }, unreadBodyMs);
  cutOff.unref();
  request.once('close', () => clearTimeout(cutOff));
}
