import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Route } from '@tollgate/contracts/routes/route';
import { AppError } from '@tollgate/kernel/app-error';
import { systemClock } from '@tollgate/kernel/clock';
import { eventually } from '@tollgate/testkit/eventually';
import { rawExchange } from '@tollgate/testkit/raw-http';
import { createLogger } from '../../src/logging/create-logger.ts';
import { createTrustedProxies } from '../../src/http/requests/client-address.ts';
import { createHttpServer, type HttpServer } from '../../src/http/serving/create-http-server.ts';
import type { Answered } from '../../src/http/serving/desk.ts';
import { createFront } from '../../src/http/serving/front.ts';
import type { PlainExchange } from '../../src/http/serving/plain-connections.ts';
import {
  clientAddressOf,
  logOf,
  paramsOf,
  pathOf,
  principalOf,
  requestIdOf,
  routeOf,
} from '../../src/http/requests/request-context.ts';
import { sendJson } from '../../src/http/answers/send-json.ts';
import { sendProblem } from '../../src/http/answers/send-problem.ts';

const base = { service: 'billing', access: 'public', tag: 'Tools', summary: 'S', responses: {}, errors: [] } as const;
const routes: readonly Route[] = [
  { ...base, operationId: 'getThing', method: 'GET', path: '/v1/things/{id}' },
  { ...base, operationId: 'deleteThing', method: 'DELETE', path: '/v1/things/{id}' },
  { ...base, operationId: 'getBatch', method: 'GET', path: '/v1/things/batch' },
  { ...base, operationId: 'getFailure', method: 'GET', path: '/v1/fail/{how}' },
];

let lines: string[] = [];
let answered: Answered[] = [];
let server: HttpServer;
let port = 0;

const failures: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => unknown>> = {
  throw: () => {
    throw new Error('the password is canary-77');
  },
  reject: () => Promise.reject(new TypeError('canary-77')),
  odd: () => Promise.reject('canary-77' as unknown as Error),
  app: () => {
    throw new AppError('slug_taken', 'Taken.', { detail: 'canary-77', members: { status: 1, extra: 2 } });
  },
  unavailable: () => {
    throw new AppError('unavailable', 'Later.', {
      retryAfterSeconds: 2.1,
      cause: new Error('canary-77', { cause: new AggregateError([]) }),
    });
  },
  unauthenticated: () => {
    throw new AppError('unauthorized', 'No.');
  },
  half: (_request, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('half');
    throw new Error('in the middle');
  },
  twice: (request, response) => {
    sendJson(response, 200, {});
    sendProblem(request, response, new Error('after the answer'));
  },
};

function handle(request: IncomingMessage, response: ServerResponse): void | Promise<void> {
  const { id, how } = paramsOf(request);
  if (how !== undefined) return failures[how]?.(request, response) as void | Promise<void>; // they throw or reject
  logOf(request).info('handled');
  sendJson(response, 200, {
    id,
    operation: routeOf(request).operationId,
    path: pathOf(request),
    address: clientAddressOf(request),
    requestId: requestIdOf(request),
  });
}

beforeAll(async () => {
  const log = createLogger({ name: 'test', level: 'debug', destination: { write: (line) => void lines.push(line) } });
  const trustedProxies = createTrustedProxies('127.0.0.1, 10.0.0.0/8, fd00::/8');
  const onAnswered = (one: Answered) => void answered.push(one);
  const front = createFront({ routes, log, clock: systemClock, handle, trustedProxies, onAnswered });
  const silent = createLogger({ name: 'test', level: 'silent' });
  server = createHttpServer(front, { host: '127.0.0.1', port: 0, log: silent, lingerMs: 0 });
  await server.start();
  port = server.address().port;
});

afterAll(() => server.stop());

beforeEach(() => {
  lines = [];
  answered = [];
});

type Json = Readonly<Record<string, unknown>>;

async function send(method: string, path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers });
  const body = JSON.parse((await answer.text()) || '{}') as Json; // our answers are objects
  return { status: answer.status, headers: answer.headers, body };
}

const logged = () => lines.map((line) => JSON.parse(line) as Json);
const accesses = () => logged().filter(({ msg }) => msg === 'answered');

const raw = (target: string, headers: readonly string[] = []) =>
  rawExchange(port, [`GET ${target} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n'));

describe('routes', () => {
  it('reach the handler with their parameters decoded and without their query', async () => {
    const { status, body } = await send('GET', '/v1/things/a%20b?x=%zz');
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { id: 'a b', operation: 'getThing', path: '/v1/things/a%20b' },
    });
    expect((await send('GET', '/v1/things/batch')).body).toMatchObject({ operation: 'getBatch' });
  });

  it('HEAD is answered as GET, without a body', async () => {
    const { status, headers, body } = await send('HEAD', '/v1/things/a');
    expect({ status, body }).toEqual({ status: 200, body: {} });
    expect(Number(headers.get('content-length'))).toBeGreaterThan(10);
  });

  it('405 names what is allowed', async () => {
    const answer = await send('POST', '/v1/things/a');
    expect(answer).toMatchObject({
      status: 405,
      body: { code: 'method_not_allowed', status: 405, instance: '/v1/things/a' },
    });
    expect(answer.headers.get('allow')).toBe('GET, HEAD, DELETE');
  });

  it.each('/ /v1/things/a/ //v1/things/a /V1/things/a /v1/x/../things/a /v1\\things\\a * /__proto__'.split(' '))(
    '404 for %s',
    async (path) => {
      const answer = await raw(path);
      expect(answer.status).toBe(404);
      expect(answer.text).toContain('"code":"not_found"');
    },
  );

  it.each(['/v1/things/%', '/v1/things/%zz', '/v1/things/%c0%af', '/v1/things/%ed%a0%80', '/%', '/v1/things/a%00b'])(
    '400 for the malformed path %s',
    async (path) => {
      const answer = await raw(path);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('"code":"invalid_request"');
    },
  );

  it.each([
    '/v1/things/a%2fb',
    `/v1/things/${'a'.repeat(10_000)}`,
    '/v1/things/%F0%9F%98%80',
    'http://evil.test/v1/things/a',
  ])('gives the handler a path that is only odd: %s', async (path) => expect((await raw(path)).status).toBe(200));
});

describe('every answer', () => {
  it('F76 has the request id of the caller if it is harmless, else a new one', async () => {
    for (const id of ['abc', 'A.b_c-9', 'x'.repeat(128)]) {
      const answer = await send('GET', '/v1/things/a', { 'x-request-id': id });
      expect([answer.headers.get('x-request-id'), answer.body['requestId']]).toEqual([id, id]);
    }
    for (const id of ['', ' ', 'a b', 'a,b', 'x'.repeat(129), '<x>', 'é', 'a%0d%0aSet-Cookie: x=1']) {
      const given = (await send('GET', '/nowhere', { 'x-request-id': id })).headers.get('x-request-id');
      expect(given).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect((await raw('/v1/things/a', ['X-Request-Id: a', 'X-Request-Id: b'])).text).toMatch(
      /x-request-id: [0-9a-f-]{36}\r/,
    );
  });

  it('forbids sniffing, caching and embedding', async () => {
    for (const path of ['/v1/things/a', '/nowhere', '/v1/fail/throw']) {
      const { headers } = await send('GET', path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      const policy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";
      expect(headers.get('content-security-policy')).toBe(policy);
    }
  });
});

describe('F81 the caller', () => {
  it.each(['Authorization', 'aUTHORIZATION'])(
    'two Authorization headers are 400, not joined, not the first: %s',
    async (name) => {
      const answer = await raw('/v1/things/a', ['Authorization: Bearer a', `${name}: Bearer b`]);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('"code":"invalid_request"');
    },
  );

  it('two Host headers are 400', async () => {
    expect((await raw('/v1/things/a', ['Host: y'])).status).toBe(400);
  });

  it.each([
    [undefined, '127.0.0.1'],
    ['203.0.113.7', '203.0.113.7'],
    ['6.6.6.6, 203.0.113.7', '203.0.113.7'],
    ['6.6.6.6, 203.0.113.7, 10.1.2.3', '203.0.113.7'],
    ['10.9.9.9, 10.1.2.3', '10.9.9.9'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8::1, fd00::1', '2001:db8::1'],
    ['203.0.113.7, nonsense', '127.0.0.1'],
    ["'; drop table x", '127.0.0.1'],
    ['', '127.0.0.1'],
  ])('behind a trusted proxy, X-Forwarded-For %p means %s', async (forwarded, expected) => {
    const headers = forwarded === undefined ? [] : [`X-Forwarded-For: ${forwarded}`];
    expect((await raw('/v1/things/a', headers)).text).toContain(`"address":"${expected}"`);
  });

  it('throws for the principal of a request that was not authenticated', () => {
    expect(() => principalOf({} as IncomingMessage)).toThrow('did not come through the front');
  });
});

describe('errors', () => {
  it.each(['throw', 'reject', 'odd'])('500 says nothing about the error: %s', async (how) => {
    const { status, body, headers } = await send('GET', `/v1/fail/${how}`);
    expect({ status, body }).toMatchObject({
      status: 500,
      body: { code: 'server_error', type: 'urn:tollgate:problem:server_error', instance: `/v1/fail/${how}` },
    });
    expect(JSON.stringify(body)).not.toContain('canary');
    expect(body['request_id']).toBe(headers.get('x-request-id'));
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(lines.some((line) => line.includes('canary-77') && line.includes(String(body['request_id'])))).toBe(true);
  });

  it('an expected failure is answered with its code; detail and cause stay in the log; members replace no standard ones', async () => {
    const { status, body } = await send('GET', '/v1/fail/app');
    expect({ status, body }).toMatchObject({
      status: 409,
      body: { code: 'slug_taken', detail: 'Taken.', status: 409, extra: 2 },
    });
    expect(JSON.stringify(body)).not.toContain('canary');
    expect(lines.join('')).toContain('canary-77');
  });

  it('503 says when to retry, in whole seconds', async () => {
    const { status, headers } = await send('GET', '/v1/fail/unavailable');
    expect([status, headers.get('retry-after')]).toEqual([503, '3']);
  });

  it('401 says how to authenticate', async () => {
    const { status, headers } = await send('GET', '/v1/fail/unauthenticated');
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="tollgate"']);
  });

  it('an error in the middle of an answer breaks the connection, and one after it changes nothing', async () => {
    await expect(send('GET', '/v1/fail/half')).rejects.toThrow(/terminated|fetch failed/);
    expect((await send('GET', '/v1/fail/twice')).status).toBe(200);
    expect((await send('GET', '/v1/things/a')).status).toBe(200);
  });
});

describe('the access log', () => {
  it('has a line per request, without query, body or header', async () => {
    await send('GET', '/v1/things/a?token=canary-78', { authorization: 'Bearer canary-78', 'x-request-id': 'r1' });
    expect(await eventually(() => accesses()[0], { withinMs: 1_000 })).toMatchObject({
      level: 'debug',
      request_id: 'r1',
      method: 'GET',
      path: '/v1/things/a',
      operation: 'getThing',
      status: 200,
    });
    expect(lines.join('')).not.toContain('canary-78');
    expect(logged()[0]).toMatchObject({ request_id: 'r1', msg: 'handled' });
  });

  it('has refusals at info and failures at warn, and reports both for metrics', async () => {
    await send('GET', '/nowhere');
    await send('GET', '/v1/fail/throw');
    await eventually(() => accesses().length === 2, { withinMs: 1_000 });
    expect(accesses().map(({ level }) => level)).toEqual(['info', 'warn']);
    expect(answered.map((one) => [one.route?.operationId, one.status])).toEqual([
      [undefined, 404],
      ['getFailure', 500],
    ]);
  });

  it('F83 has one line for a 503, with its reason and no stack: an outage brings thousands per second', async () => {
    await send('GET', '/v1/fail/unavailable', { 'x-request-id': 'r2' });
    await eventually(() => lines.length > 0, { withinMs: 1_000 });
    expect(logged()).toHaveLength(1);
    const reason = 'Later.: canary-77: AggregateError';
    expect(accesses()).toMatchObject([{ level: 'warn', request_id: 'r2', status: 503, reason }]);
    expect(lines.join('')).not.toContain('front.int.test.ts');
  });

  it('F83 has a hundred lines per second for one kind of refusal, then the number of further ones', async () => {
    const oneByOne = () => accesses().filter(({ status }) => status === 503).length;
    const leftOut = () => logged().filter((line) => 'left_out' in line);
    let sent = 0;
    while (leftOut().length === 0) {
      sent += 200;
      await Promise.all(Array.from({ length: 200 }, () => send('GET', '/v1/fail/unavailable')));
    }
    await send('GET', '/nowhere');
    const all = () => oneByOne() + leftOut().reduce((sum, line) => sum + Number(line['left_out']), 0);
    await eventually(() => all() >= sent, { withinMs: 3_000 });
    expect(all()).toBe(sent);
    expect(leftOut()[0]).toMatchObject({ level: 'warn', operation: 'getFailure', status: 503 });
    expect(logged().filter(({ status }) => status === 404)).toHaveLength(1);
  }, 20_000);

  it('has the stack of an unexpected error', async () => {
    await send('GET', '/v1/fail/throw');
    await eventually(() => lines.length === 2, { withinMs: 1_000 });
    expect(lines[0]).toContain('front.int.test.ts');
  });
});

describe('TRUSTED_PROXIES', () => {
  it.each(['x', '10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/8/8', 'fd00::/129', '10.0.0.0/'])('refuses %s', (text) => {
    expect(() => createTrustedProxies(text)).toThrow('neither an IP address nor a CIDR range');
  });

  it('trusts nobody when empty', () => {
    expect(createTrustedProxies(' , ').includes('127.0.0.1')).toBe(false);
  });
});

it('Gives its line the plain requests to the path of the line, and leaves all others to Node', () => {
  const log = createLogger({ name: 'test', level: 'silent' });
  const taken: string[] = [];
  const open = () => (exchange: PlainExchange) => taken.push(exchange.request.url) > 0;
  const { takePlain } = createFront({ routes, log, clock: systemClock, handle, line: { path: '/v1/things', open } });
  const ask = (url: string) => takePlain?.({ request: { url } } as PlainExchange);
  expect([ask('/v1/things'), ask('/v1/things/1'), ask('/v1/things?a=1')]).toEqual([true, false, false]);
  expect(taken).toEqual(['/v1/things']);
});
