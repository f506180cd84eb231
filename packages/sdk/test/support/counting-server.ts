import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveHttp, type HttpServer } from '@tollgate/testkit/http-server';

interface SentEvent {
  readonly tool_id: string;
  readonly timestamp: string;
  readonly idempotency_key: string;
}

/**
 * The server's behaviour for one request for a batch: `count` is the usual; `lose` counts and closes without an answer.
 */
export type Behaviour =
  | 'count'
  | 'lose'
  | 'hang'
  | { readonly status: number; readonly code: string; readonly headers?: Readonly<Record<string, string>> };

/** How an event fares by itself. */
type Verdict = { readonly status: 'rejected' | 'unknown'; readonly code: string; readonly http: number } | undefined;

/** A stand-in for Tollgate that fails when it is asked to, and counts each key once. The real one is in e2e/spool. */
export interface CountingServer extends HttpServer {
  /** The events by their key, in the order in which they were counted. */
  readonly counted: Map<string, SentEvent>;
  /** Events of each request, whatever became of it. */
  readonly batches: number[];
  /** For the next requests, one each; then `count`. */
  readonly next: Behaviour[];
  /** For all requests, while it is set. */
  always: Behaviour | undefined;
  accountId: string;
  judge: (event: SentEvent) => Verdict;
}

export async function startCountingServer(): Promise<CountingServer> {
  const state: Omit<CountingServer, keyof HttpServer> = {
    counted: new Map(),
    batches: [],
    next: [],
    always: undefined,
    accountId: 'account-1',
    judge: () => undefined,
  };
  const server = await serveHttp((request, response) => void answer(state, request, response));
  return Object.assign(state, server);
}

type State = Omit<CountingServer, keyof HttpServer>;

async function answer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (request.url === '/v1/auth/me') return send(response, 200, { account_id: state.accountId });
  let events: SentEvent[];
  try {
    ({ events } = JSON.parse(Buffer.concat(chunks).toString()) as { events: SentEvent[] });
  } catch {
    state.batches.push(0);
    return send(response, 400, { code: 'invalid_request', detail: 'The body is no JSON.', request_id: 'r' });
  }
  state.batches.push(events.length);
  const behaviour = state.always ?? state.next.shift() ?? 'count';
  if (behaviour === 'hang') return;
  if (typeof behaviour === 'object') {
    const { status, code, headers } = behaviour;
    return send(response, status, { code, detail: 'Not now.', request_id: 'r' }, headers);
  }
  const results = events.map((event, index) => ({ index, ...resultOf(state, event) }));
  if (behaviour === 'lose') return void request.socket.destroy();
  send(response, 200, { results });
}

function resultOf({ counted, judge }: State, event: SentEvent): object {
  const verdict = judge(event);
  if (verdict !== undefined) {
    const { status, code, http } = verdict;
    return { status, error: { status: http, code, detail: `The event is ${code}.` } };
  }
  if (counted.has(event.idempotency_key)) return { status: 'duplicate' };
  counted.set(event.idempotency_key, event);
  return { status: 'recorded' };
}

function send(response: ServerResponse, status: number, body: object, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
