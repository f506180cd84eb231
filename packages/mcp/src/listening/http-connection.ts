import { createToServer } from '../create-to-server.ts';
import { drainedWithinMs, givenUpMs, isTooLarge, type JoinedTransport } from '../join-transports.ts';
import { asObject, isResponse, readAgreedVersion, readCancelledId, withoutMeta } from '../json-rpc.ts';
import type { JsonRpcMessage, JsonRpcRequest } from '../json-rpc.ts';
import type { MeteringPorts } from '../meter-handlers.ts';
import { createMeteredConnection, type ConnectionPorts } from '../metered-connection.ts';
import { idempotencyMeta, keyMeta } from '../payer.ts';
import { within } from '../within.ts';
import type { Caller } from './caller.ts';
import type { Exchange } from './exchange.ts';
import { createOpenRequests } from './open-requests.ts';

/** A server behind the proxy, and its client over HTTP: a session, or all that a client without one sends. */
export interface HttpConnection {
  /**
   * Takes the messages of one HTTP request, whose answer carries what the server says to them. Its caller pays for their
   * calls.
   */
  receive(messages: readonly JsonRpcMessage[], exchange: Exchange, caller: Caller | undefined): void;
  /** The client of this HTTP request hung up: it gives up what it waits for. */
  giveUp(exchange: Exchange): void;
  /** The stream of a session, for messages that belong to no request. */
  serve(stream: Exchange): void;
  /** Whether somebody reads what the server says. */
  hasReader(): boolean;
  /** Resolves when the server has gone and all calls are recorded. */
  readonly ended: Promise<void>;
  /** Ends the server, once what runs has had this time for its answer. Default: a moment. */
  close(drainMs?: number): Promise<void>;
}

/** A server over HTTP that hangs holds up no end. */
const terminatedWithinMs = 2_000;

/** Starts the server. Rejects if it cannot be started. */
export async function openHttpConnection(far: JoinedTransport, ports: MeteringPorts): Promise<HttpConnection> {
  const requests = createOpenRequests();
  const gone = watchEnd(far, ports.onError);
  const connection = createMeteredConnection({
    ...ports,
    connectionKey: undefined,
    isShared: true,
    givenUpMs,
    deliveryOf: ({ id }) => requests.deliveryOf(String(id)),
    toServer: endWithSession(far, createToServer(far, ports.onError)),
    toClient: async (message) => requests.deliver(message),
  });
  far.onmessage = (message: JsonRpcMessage) => {
    const version = readAgreedVersion(message);
    if (version !== undefined) far.setProtocolVersion?.(version);
    connection.fromServer(message);
  };
  await far.start();

  /** Strangers share no memory of repeats: without a key all of them would be one caller. */
  const unreadOf = (caller: Caller | undefined) => (caller === undefined ? [idempotencyMeta] : []);
  const receive = (message: JsonRpcMessage, exchange: Exchange, caller: Caller | undefined) => {
    const cancelledId = readCancelledId(message);
    if (cancelledId !== undefined) {
      const id = requests.giveUp(cancelledId);
      if (id !== undefined) giveUp(id, message);
    } else if (message.id === undefined || isResponse(message)) connection.fromClient(message);
    else connection.fromClient(requests.begin(toServed(message as JsonRpcRequest, unreadOf(caller)), exchange), caller);
  };

  function giveUp(id: string, cancelled: JsonRpcMessage): void {
    connection.fromClient({ ...cancelled, params: { ...cancelled.params, requestId: id } });
    setTimeout(() => requests.forget(id), givenUpMs).unref(); // an answer may come in spite
  }

  async function end(): Promise<void> {
    await connection.end();
    requests.failAll(gone.reason());
  }
  const ended = gone.closed.then(end);
  ended.catch(ports.onError);

  return {
    receive: (messages, exchange, caller) => messages.forEach((message) => receive(message, exchange, caller)),
    giveUp(exchange) {
      for (const id of requests.idsOf(exchange)) giveUp(id, { jsonrpc: '2.0', method: 'notifications/cancelled' });
    },
    serve: requests.serve,
    hasReader: requests.hasReader,
    ended,
    async close(drainMs = drainedWithinMs) {
      await connection.drain(drainMs);
      const terminated = far.terminateSession?.().catch(ports.onError);
      if (terminated !== undefined) await within(terminated, terminatedWithinMs);
      await far.close();
      await ended;
    },
  };
}

/** Tells when the server has gone, and why. */
function watchEnd(far: JoinedTransport, onError: (error: unknown) => void) {
  let reason = 'The server behind the proxy has ended.';
  far.onerror = (error) => {
    if (!isTooLarge(error)) return;
    reason = 'A message of the server is larger than this proxy takes: its builder can raise --max-message-mib.';
    const words = 'a message of the server is larger than this proxy takes, so its session ends';
    onError(new Error(`${words}: raise --max-message-mib`, { cause: error }));
  };
  const closed = new Promise<void>((resolve) => {
    far.onclose = resolve;
  });
  return { closed, reason: () => reason };
}

/** A key in `_meta` is read of calls, where the metering takes it out. Elsewhere the server would see it. */
function toServed(request: JsonRpcRequest, unread: readonly string[]): JsonRpcRequest {
  return withoutMeta(request, request.method === 'tools/call' ? unread : [keyMeta, ...unread]);
}

/** A server over HTTP that has lost the session says 404. Then the session is over for the client, too, and it begins anew. */
function endWithSession(far: JoinedTransport, toServer: ConnectionPorts['toServer']): ConnectionPorts['toServer'] {
  return async function toServerOfSession(message, lose) {
    const failed = await toServer(message, lose);
    const { status } = asObject(failed?.response?.error?.data);
    if (status === 404 && far.sessionId !== undefined) setImmediate(() => void far.close()); // after this answer
    return failed;
  };
}
