import type { IncomingMessage, ServerResponse } from 'node:http';

import { givenUpMs, type JoinedTransport } from '../join-transports.ts';
import type { JsonRpcMessage } from '../json-rpc.ts';
import type { MeteringPorts } from '../meter-handlers.ts';
import { openUpstream, type Upstream } from '../open-upstream.ts';
import type { HttpRefusal } from './admit-request.ts';
import type { Caller } from './caller.ts';
import { createExchange, type Exchange, type ExchangeOptions } from './exchange.ts';
import { openHttpConnection, type HttpConnection } from './http-connection.ts';
import { openForOneRequest, type RequestHeaders } from './open-for-one-request.ts';
import type { ReadMessages } from './read-messages.ts';
import type { Session, Sessions } from './sessions.ts';
import { statusOf } from './status-of.ts';

export interface ServeDeps {
  readonly sessions: Sessions;
  readonly upstream: Upstream;
  readonly ports: MeteringPorts;
  readonly messageBytesMax: number;
}

type OnError = MeteringPorts['onError'];

/** The first message may say another status. Proxies on the way wait for a head only so long. */
const headWaitsMs = 10_000;

/** An HTTP request with messages, of a caller who may be served. */
export interface Posted extends ReadMessages {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly caller: Caller | undefined;
}

/** Serves messages. Gives a refusal where it has not answered. */
export interface ServeMessages {
  initialize(posted: Posted): Promise<HttpRefusal | undefined>;
  inSession(posted: Posted, session: Session): undefined;
  withoutSession(posted: Posted): Promise<HttpRefusal | undefined>;
  /** Ends the connections that no session has. */
  end(): Promise<unknown>;
}

const full: HttpRefusal = {
  status: 503,
  message: 'As many sessions are open as may be: try again later.',
  headers: { 'retry-after': '10' },
};

const unreachable: HttpRefusal = { status: 502, message: 'The server behind the proxy cannot be started.' };
const sessionNeeded: HttpRefusal = {
  status: 400,
  message: 'Mcp-Session-Id is missing: this server has sessions, which begin with initialize.',
};

/** Which server gets the messages of an HTTP request, and how long it lives. */
export function createServeMessages({ sessions, upstream, ports, messageBytesMax }: ServeDeps): ServeMessages {
  const single = new Set<HttpConnection>();
  const open = (far: JoinedTransport) => openHttpConnection(far, ports);
  const answerOf = (response: ServerResponse, options: Omit<ExchangeOptions, 'waitingBytesMax'>) =>
    createExchange(response, { ...options, waitingBytesMax: messageBytesMax });

  function receive(
    { messages, isModern, response, caller }: Posted,
    connection: HttpConnection,
    exchange: Exchange,
  ): void {
    connection.receive(messages, exchange, caller);
    if (!messages.some(isAsking)) response.writeHead(202).end();
    else if (isModern) exchange.onHangUp(() => connection.giveUp(exchange));
  }

  /** A server over HTTP may have no sessions: then each request has a connection of its own. */
  async function initialize(posted: Posted): Promise<HttpRefusal | undefined> {
    const far = openUpstream(upstream, messageBytesMax);
    const session = await begin(ports.onError, () => sessions.begin(posted.caller?.passId, () => open(far)));
    if (!isSession(session)) return session;
    const headersFor = (first: JsonRpcMessage | undefined) => {
      const hasBegun = first?.result !== undefined && (!('url' in upstream) || far.sessionId !== undefined);
      if (hasBegun) return { 'mcp-session-id': session.id };
      void session.end().catch(ports.onError);
      return {};
    };
    const exchange = answerOf(posted.response, { headersFor });
    receive(posted, session.connection, exchange);
    return undefined;
  }

  function respond(posted: Posted, connection: HttpConnection): undefined {
    const { messages, isModern, response } = posted;
    const asked = messages.find(isAsking);
    const statusFor = (first: JsonRpcMessage | undefined) => (asked && isModern ? statusOf(asked, first) : 200);
    const exchange = answerOf(response, { headersFor: () => ({}), statusFor });
    receive(posted, connection, exchange);
    if (asked !== undefined) exchange.open(isModern ? headWaitsMs : 0);
  }

  /** A program is shared by all that one pass sends: what it says without a request's name reaches no other pass. */
  async function shared(posted: Posted): Promise<HttpRefusal | undefined> {
    if (!posted.isModern) return sessionNeeded;
    const far = () => openUpstream(upstream, messageBytesMax);
    const session = await begin(ports.onError, () => sessions.share(posted.caller?.passId, () => open(far())));
    return isSession(session) ? respond(posted, session.connection) : session;
  }

  async function alone(posted: Posted, far: JoinedTransport): Promise<HttpRefusal | undefined> {
    if (!posted.messages.some(isAsking)) return tell(posted, far, ports.onError);
    const connection = await open(far);
    single.add(connection);
    respond(posted, connection);
    const isRead = new Promise((resolve) => posted.response.once('close', resolve));
    if (!posted.response.destroyed) await Promise.race([isRead, connection.ended]);
    await connection.close(givenUpMs); // a call that runs is paid whether or not its client waits
    single.delete(connection);
    return undefined;
  }

  return {
    initialize,
    inSession: (posted, { connection }) => respond(posted, connection),
    async withoutSession(posted) {
      return 'url' in upstream ? alone(posted, openForOneRequest(upstream, headersOf(posted))) : shared(posted);
    },
    end: () => Promise.all(Array.from(single, (connection) => connection.close())),
  };
}

/** Nobody answers notifications. */
async function tell({ messages, response }: Posted, far: JoinedTransport, onError: OnError): Promise<undefined> {
  await far.start();
  for (const message of messages) await far.send(message).catch(onError);
  await far.close();
  response.writeHead(202).end();
}

async function begin(onError: OnError, ask: () => Promise<Session | undefined>): Promise<Session | HttpRefusal> {
  try {
    return (await ask()) ?? full;
  } catch (error) {
    onError(error);
    return unreachable;
  }
}

/** Whether the message wants an answer. */
const isAsking = ({ method, id }: JsonRpcMessage) => method !== undefined && id !== undefined;

const isSession = (begun: Session | HttpRefusal): begun is Session => 'connection' in begun;

/** The headers of a request that say what its server must know: its bearer token is none of them. */
function headersOf({ request: { headers }, isModern }: Posted): RequestHeaders {
  const version = headers['mcp-protocol-version'];
  const named = Object.entries(headers).filter(([name]) => name.startsWith('mcp-param-'));
  return {
    version: typeof version === 'string' ? version : undefined,
    parameters: Object.fromEntries(named.map(([name, value]) => [name, String(value)])),
    isModern,
  };
}
