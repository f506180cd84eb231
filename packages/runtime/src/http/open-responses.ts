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

export function createOpenResponses(): OpenResponses {
  const open = new Set<ServerResponse>();
  const latest = new WeakMap<Duplex, ServerResponse>();
  let closing = false;

  function add(request: IncomingMessage, response: ServerResponse): void {
    open.add(response);
    latest.set(request.socket, response);
    if (closing) response.shouldKeepAlive = false;
    response.once('close', () => {
      open.delete(response);
      if (!request.complete) dropBody(request);
    });
  }

  function close(): void {
    closing = true;
    for (const response of open) response.shouldKeepAlive = false;
  }

  function on(socket: Duplex): ServerResponse | undefined {
    const response = latest.get(socket);
    return response && open.has(response) ? response : undefined;
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
