import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ServerMessage } from './open-proxies.ts';

/** One HTTP request of a client that writes its messages itself. */
export interface HttpAsk {
  readonly method?: string;
  readonly pass?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly message?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The messages of the answer, whichever form it has. */
  readonly messages: readonly ServerMessage[];
}

const clientInfo = { name: 'raw', version: '1' };
export const initialize = {
  id: 'initialize',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
};

export function toCall(id: unknown, city: string, _meta: object = {}) {
  return { id, method: 'tools/call', params: { name: 'weather', arguments: { city }, _meta } };
}

/** A call of MCP 2026-07-28, with the headers that it asks for. */
export function modernCall(city: string, meta: object = {}): Pick<HttpAsk, 'message' | 'headers'> {
  return toModern({ name: 'weather', arguments: { city }, _meta: meta });
}

/** A call with these parameters, of MCP 2026-07-28. */
export function toModern(params: {
  readonly name: string;
  readonly arguments: object;
  readonly inputResponses?: object;
  readonly _meta?: object;
}): Pick<HttpAsk, 'message' | 'headers'> {
  const version = '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    ...params._meta,
  };
  const headers = { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': params.name };
  return { message: { id: 1, method: 'tools/call', params: { ...params, _meta } }, headers };
}

/** Sends a request, and gives its answer when it has ended. `fetch` would let no test name another host. */
export async function ask(
  url: string,
  { method = 'POST', pass, sessionId, message, headers, signal }: HttpAsk,
): Promise<HttpAnswer> {
  const sent = request(url, {
    method,
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(pass !== undefined && { authorization: `Bearer ${pass}` }),
      ...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
      ...headers,
    },
    ...(signal && { signal }),
  });
  sent.end(message && JSON.stringify({ jsonrpc: '2.0', ...message }));
  return new Promise((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', (response) => {
      const { statusCode: status } = response;
      text(response).then((body) => resolve({ status, headers: response.headers, messages: toMessages(body) }), reject);
    });
  });
}

function toMessages(body: string): ServerMessage[] {
  if (body.startsWith('{')) return [JSON.parse(body) as ServerMessage];
  const data = body.split('\n').filter((line) => line.startsWith('data: {')); // a stream may begin with an empty event
  return data.map((line) => JSON.parse(line.slice('data: '.length)) as ServerMessage);
}

/** Begins a session, and gives its id. */
export async function beginSession(url: string, pass?: string): Promise<string> {
  const { headers, status } = await ask(url, { pass, message: initialize });
  const sessionId = headers['mcp-session-id'];
  if (typeof sessionId !== 'string') throw new Error(`no session has begun: ${status}`);
  await ask(url, { pass, sessionId, message: { method: 'notifications/initialized' } });
  return sessionId;
}
