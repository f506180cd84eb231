import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { serveHttp, type HttpServer } from '@tollgate/testkit/http-server';
import { Tollgate } from '../src/client/tollgate.ts';

/** How a server in trouble answers one request. */
type Reply = { status: number; headers?: Record<string, string>; body?: object } | 'hang' | 'close';

interface Seen {
  readonly method: string | undefined;
  readonly key: string | undefined;
  readonly body: string;
}

let server: HttpServer;
let replies: Reply[];
let seen: Seen[];
let tollgate: Tollgate;

beforeEach(async () => {
  replies = [];
  seen = [];
  server = await serveHttp((request, response) => void answer(request, response));
  tollgate = new Tollgate({ url: server.baseUrl, apiKey: 'tg_live_test', timeoutMs: 30_000 });
});
afterEach(() => server.close());

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  seen.push({ method: request.method, key: request.headers['idempotency-key'] as string | undefined, body });
  const reply = replies.shift() ?? { status: 200, body: {} };
  if (reply === 'hang') return;
  if (reply === 'close') return void request.socket.destroy();
  response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
  response.end(JSON.stringify(reply.body ?? {}));
}

const problem = (status: number, code: string, headers = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/problem+json', 'x-request-id': 'r-1', ...headers },
  body: {
    status,
    code,
    detail: 'The reason.',
    request_id: 'r-1',
    errors: [{ pointer: '/a', code: 'x', message: 'no' }],
  },
});
const newTool = { slug: 'search', name: 'Search', price: { per_call_usd: '0.002' } };

describe('a request that failed', () => {
  it('is sent again under the same key when the answer was lost', async () => {
    replies = ['close', problem(503, 'unavailable'), { status: 201, body: { slug: 'search' } }];
    expect(await tollgate.tools.create(newTool)).toEqual({ slug: 'search' });
    expect(seen).toHaveLength(3);
    expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
    expect(seen[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('takes a key of the caller', async () => {
    await tollgate.tools.create(newTool, { idempotencyKey: 'mine' });
    expect(seen).toMatchObject([{ key: 'mine' }]);
  });

  it('is not sent again when a second effect could come of it', async () => {
    replies = ['close'];
    const credentials = { email: 'a@example.com', password: 'correct horse battery' };
    await expect(tollgate.auth.register(credentials)).rejects.toMatchObject({ code: 'connection_failed', status: 0 });
    replies = [problem(503, 'unavailable')];
    await expect(tollgate.tools.update('search', { name: 'New' })).rejects.toMatchObject({ code: 'unavailable' });
    expect(seen).toHaveLength(2);
  });

  it('carries the keys of its events in the body, the same in every try', async () => {
    replies = ['close'];
    await tollgate.events.recordBatch([{ tool_id: 'search' }, { tool_id: 'search', idempotency_key: 'mine' }]);
    expect(seen).toHaveLength(2);
    expect(seen[0]?.body).toBe(seen[1]?.body);
    expect(seen[0]?.body).toMatch(/"idempotency_key":"[0-9a-f-]{36}".*"idempotency_key":"mine"/);
  });

  it('asks for an authorization under the one key of its body, the same in every try', async () => {
    replies = ['close', { status: 201 }, 'close', { status: 201 }];
    await tollgate.spending.authorize({ tool_id: 'search', idempotency_key: 'mine' }, { idempotencyKey: 'other' });
    await tollgate.spending.authorize({ tool_id: 'search' });
    expect(seen.map(({ key }) => key)).toEqual([undefined, undefined, undefined, undefined]);
    const keys = seen.map(({ body }) => (JSON.parse(body) as { idempotency_key?: string }).idempotency_key);
    expect(keys).toEqual(['mine', 'mine', expect.stringMatching(/^[0-9a-f-]{36}$/), keys[2]]);
  });

  it('is deleted if a repeat finds it gone', async () => {
    replies = ['close', problem(404, 'not_found')];
    await expect(tollgate.apiKeys.delete('k')).resolves.toBeUndefined();
    replies = [problem(404, 'not_found')];
    await expect(tollgate.apiKeys.delete('k')).rejects.toMatchObject({ status: 404 });
  });

  it('waits as long as the service says', async () => {
    replies = [problem(429, 'rate_limit_exceeded', { 'retry-after': '1' })];
    const startMs = systemClock.monotonicMs();
    await tollgate.auth.account();
    expect(systemClock.monotonicMs() - startMs).toBeGreaterThanOrEqual(990); // timers may be a millisecond early
  });

  it('stops after so many repeats, with the last error', async () => {
    replies = Array.from({ length: 5 }, () => problem(500, 'server_error'));
    await expect(tollgate.auth.account({ retries: 2 })).rejects.toMatchObject({ status: 500 });
    expect(seen).toHaveLength(3);
  });
});

describe('an error', () => {
  it('carries what the service said', async () => {
    replies = [problem(422, 'event_expired', { 'retry-after': '7' })];
    await expect(tollgate.events.record({ tool_id: 'search' })).rejects.toMatchObject({
      name: 'TollgateError',
      status: 422,
      code: 'event_expired',
      detail: 'The reason.',
      requestId: 'r-1',
      retryAfter: 7,
      errors: [{ pointer: '/a', message: 'no' }],
      message: 'event_expired: The reason. /a: no. (request r-1)',
    });
  });

  it('says each wrong field once, also where the service’s own words have the first', async () => {
    const errors = [
      { pointer: '/slug', code: 'required', message: 'is required' },
      { pointer: '/name', code: 'required', message: 'is required' },
    ];
    const body = { code: 'invalid_request', detail: 'The body is not valid: /slug is required, and 1 more.', errors };
    replies = [{ status: 400, headers: { 'content-type': 'application/problem+json' }, body }];
    await expect(tollgate.tools.create(newTool)).rejects.toMatchObject({
      message: 'invalid_request: The body is not valid: /slug is required, and 1 more. /name: is required.',
    });
    const one = { code: 'invalid_request', detail: 'The time of expiry must be in the future.' };
    const late = { pointer: '/expires_at', code: 'not_in_future', message: 'must be in the future' };
    replies = [{ status: 400, body: { ...one, errors: [late] } }];
    await expect(tollgate.auth.account()).rejects.toMatchObject({ message: `invalid_request: ${one.detail}` });
  });

  it('is readable when something else than the service answers', async () => {
    replies = [{ status: 302, headers: { location: 'https://elsewhere.example', 'content-type': 'text/html' } }];
    await expect(tollgate.auth.account()).rejects.toMatchObject({ status: 302, code: 'unexpected_answer' });
  });
});

describe('a call ends', () => {
  it('when a try takes too long', async () => {
    replies = ['hang'];
    await expect(tollgate.auth.account({ timeoutMs: 50, retries: 0 })).rejects.toMatchObject({ code: 'timed_out' });
  });

  it('with the reason of its signal, in the middle of a try', async () => {
    replies = ['hang'];
    const controller = new AbortController();
    const call = tollgate.auth.account({ signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });

  it('with the reason of its signal, between two tries', async () => {
    replies = [problem(503, 'unavailable', { 'retry-after': '60' })];
    await expect(tollgate.auth.account({ signal: AbortSignal.timeout(200) })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });
});

it('reads a list page by page, and only as far as it is read', async () => {
  replies = [
    { status: 200, body: { tools: [{ slug: 'a' }, { slug: 'b' }], next_cursor: 'c' } },
    { status: 200, body: { tools: [{ slug: 'c' }], next_cursor: null } },
  ];
  const slugs: string[] = [];
  for await (const { slug } of tollgate.tools.list()) slugs.push(slug);
  expect(slugs).toEqual(['a', 'b', 'c']);
  expect(seen).toHaveLength(2);
});
