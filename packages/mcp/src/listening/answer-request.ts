import type { IncomingMessage, ServerResponse } from 'node:http';

import type { AdmitCall } from './admit-call.ts';
import { createAdmitCaller, sendMetadata, type AdmitCallerDeps } from './admit-caller.ts';
import { refuseForeign, type HttpRefusal } from './admit-request.ts';
import { createExchange } from './exchange.ts';
import type { Caller } from './caller.ts';
import { createReadMessages, isRefusal, type MessageRefusal } from './read-messages.ts';
import type { ServeMessages } from './serve-messages.ts';
import type { Session, Sessions } from './sessions.ts';

export interface AnswerDeps extends AdmitCallerDeps {
  readonly sessions: Sessions;
  readonly serve: ServeMessages;
  readonly admitCall: AdmitCall;
  readonly messageBytesMax: number;
}

const methods = 'POST, GET, DELETE, OPTIONS';
const notFound: HttpRefusal = { status: 404, message: 'MCP is served at /mcp.' };
/** It says no more to the pass of another: a client begins anew. */
const noSession: HttpRefusal = { status: 404, message: 'Session not found' };
const noMethod: HttpRefusal = { status: 405, message: 'Method not allowed.', headers: { allow: methods } };

/** Answers one HTTP request: who asks is checked before anything of it is read. */
export function createAnswerRequest(deps: AnswerDeps) {
  const { rules, sessions, serve, admitCall, resource, messageBytesMax, onError } = deps;
  const admitCaller = createAdmitCaller(deps);
  const readMessages = createReadMessages(messageBytesMax);

  return async function answerRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined); // the client hung up
    try {
      const refusal = await answer(request, response);
      if (refusal !== undefined) refuse(response, refusal);
    } catch (error) {
      onError(error);
      if (!response.headersSent) refuse(response, { status: 500, message: 'The proxy failed.' });
    }
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<HttpRefusal | undefined> {
    const foreign = refuseForeign(request.headers, rules);
    if (foreign !== undefined) return foreign;
    letBrowserRead(response, request.headers.origin);
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (resource !== undefined && pathname === resource.path) return sendMetadata(response, resource, onError);
    if (pathname !== '/mcp') return notFound;
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const admitted = await admitCaller(request.headers.authorization);
    return 'status' in admitted ? admitted : byMethod(request, response, admitted.caller);
  }

  async function byMethod(
    request: IncomingMessage,
    response: ServerResponse,
    caller: Caller | undefined,
  ): Promise<HttpRefusal | undefined> {
    if (request.method === 'POST') return post(request, response, caller);
    const id = sessionIdOf(request);
    if (id === undefined || (request.method !== 'GET' && request.method !== 'DELETE')) return noMethod;
    const session = sessions.find(id, caller?.passId);
    if (session === undefined) return noSession;
    return request.method === 'GET' ? stream(response, session, messageBytesMax) : endSession(response, session);
  }

  async function post(
    request: IncomingMessage,
    response: ServerResponse,
    caller: Caller | undefined,
  ): Promise<HttpRefusal | undefined> {
    const read = await readMessages(request);
    if (isRefusal(read)) return read;
    const lacking = await admitCall(read.messages, caller);
    if (lacking !== undefined) return lacking;
    const posted = { ...read, request, response, caller };
    if (read.isInitialize) return serve.initialize(posted);
    const id = sessionIdOf(request);
    if (id === undefined || read.isModern) return serve.withoutSession(posted);
    const session = sessions.find(id, caller?.passId);
    return session === undefined ? noSession : serve.inSession(posted, session);
  }
}

/** The stream of a session. It is open until the client or the session ends it. */
function stream(response: ServerResponse, { connection }: Session, waitingBytesMax: number): undefined {
  const exchange = createExchange(response, { headersFor: () => ({}), waitingBytesMax });
  exchange.open();
  connection.serve(exchange);
}

async function endSession(response: ServerResponse, session: Session): Promise<undefined> {
  await session.end();
  response.writeHead(200).end();
}

function sessionIdOf({ headers }: IncomingMessage): string | undefined {
  const id = headers['mcp-session-id'];
  return typeof id === 'string' ? id : undefined;
}

/** The origin of a page that may ask: others were refused before. */
function letBrowserRead(response: ServerResponse, origin: string | undefined): void {
  if (origin === undefined) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('vary', 'Origin');
  response.setHeader('access-control-allow-methods', methods);
  response.setHeader(
    'access-control-allow-headers',
    'authorization, content-type, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id',
  );
  response.setHeader('access-control-expose-headers', 'mcp-session-id, www-authenticate, retry-after');
}

function refuse(response: ServerResponse, refusal: HttpRefusal | MessageRefusal): void {
  const { status, message, headers = {} } = refusal;
  const { error, id = null } = 'error' in refusal ? refusal : { error: { code: -32_000 } };
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { ...error, message } }));
}
