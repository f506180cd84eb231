import { request as httpRequest, Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { rawExchange } from '@tollgate/testkit/raw-http';
import { createLogger } from '../../src/logging/create-logger.ts';
import {
  createHttpServer,
  type Handle,
  type HttpServer,
  type HttpServerOptions,
} from '../../src/http/serving/create-http-server.ts';
import { readJsonBody } from '../../src/http/requests/read-json-body.ts';
import { sendJson } from '../../src/http/answers/send-json.ts';
import { sendProblem } from '../../src/http/answers/send-problem.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const running: HttpServer[] = [];
const sockets: Socket[] = [];

const echo: Handle = (request, response) => {
  if (request.method === 'GET') sendJson(response, 200, { path: request.url });
  else {
    readJsonBody(request, { maxBytes: 1_000 }).then(
      (body) => sendJson(response, 200, { body }),
      (error: unknown) => sendProblem(request, response, error),
    );
  }
};

async function serve(
  handle: Handle = echo,
  options: Partial<HttpServerOptions> = {},
): Promise<{ server: HttpServer; port: number }> {
  const server = createHttpServer(handle, { host: '127.0.0.1', port: 0, log, lingerMs: 0, ...options });
  await server.start();
  running.push(server);
  return { server, port: server.address().port };
}

function open(port: number): Socket & { received(): string } {
  let text = '';
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('latin1').on('data', (chunk: string) => void (text += chunk));
  socket.on('error', () => undefined);
  sockets.push(socket);
  return Object.assign(socket, { received: () => text });
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of running.splice(0)) await server.stop();
});

const post = (headers: string[], body = '') =>
  ['POST /x HTTP/1.1', 'Host: x', 'Content-Type: application/json', ...headers, '', body].join('\r\n');

describe('F81 a request that two parsers could read in two ways', () => {
  const chunkedEmpty = '0\r\n\r\n';
  it.each([
    ['CL and TE', post(['Content-Length: 5', 'Transfer-Encoding: chunked'], chunkedEmpty)],
    ['TE and CL', post(['Transfer-Encoding: chunked', 'Content-Length: 5'], chunkedEmpty)],
    ['two equal CL', post(['Content-Length: 2', 'Content-Length: 2'], '{}')],
    ['two different CL', post(['Content-Length: 2', 'Content-Length: 3'], '{}')],
    ['a list of CL', post(['Content-Length: 2, 2'], '{}')],
    ['a signed CL', post(['Content-Length: +2'], '{}')],
    ['a hexadecimal CL', post(['Content-Length: 0x2'], '{}')],
    ['chunked twice', post(['Transfer-Encoding: chunked, chunked'], chunkedEmpty)],
    ['chunked not last', post(['Transfer-Encoding: chunked, identity'], chunkedEmpty)],
    ['a misspelt TE', post(['Transfer-Encoding: xchunked'], chunkedEmpty)],
    ['white space before the colon', post(['Transfer-Encoding : chunked'], chunkedEmpty)],
    ['obs-fold', post(['X-A: 1', ' Content-Length: 2'], '{}')],
    ['a bare CR in a value', post(['X-A: 1\rContent-Length: 2'], '{}')],
    ['a bare CR as line end', 'GET / HTTP/1.1\rHost: x\r\r'],
    ['a NUL in a value', post(['X-A: \0', 'Content-Length: 2'], '{}')],
    ['a bad chunk size', post(['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n')],
    ['a chunk longer than told', post(['Transfer-Encoding: chunked'], '1\r\n{}\r\n0\r\n\r\n')],
    ['a negative chunk', post(['Transfer-Encoding: chunked'], '-1\r\n\r\n0\r\n\r\n')],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['a header without colon', 'GET / HTTP/1.1\r\nHost: x\r\nabc\r\n\r\n'],
    ['a space in the target', 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['another protocol', 'GET / HTTQ/1.1\r\nHost: x\r\n\r\n'],
    ['TLS', '\u0016\u0003\u0001\u0002\0\u0001\0'],
    ['garbage', 'hello\r\n\r\n'],
  ])('is 400 and the end of its connection: %s', async (_what, bytes) => {
    const { port } = await serve();
    const answer = await rawExchange(port, bytes);
    expect(answer).toMatchObject({ status: 400, answers: 1, closed: true });
    expect(answer.text).toContain('content-type: application/problem+json'.slice(13));
    expect(answer.text).toMatch(/"code":"invalid_request"/);
    expect(answer.text).toMatch(/x-request-id: /i);
  });

  it('answers requests before it, in order, and none behind it', async () => {
    const { port } = await serve(
      (request, response) => void setTimeout(() => sendJson(response, 200, { path: request.url }), 30),
    );
    const first = 'GET /first HTTP/1.1\r\nHost: x\r\n\r\n';
    const answer = await rawExchange(port, `${first}GET / HTTP/1.1\r\nHost : x\r\n\r\n${first}`);
    expect(answer).toMatchObject({ status: 200, answers: 2, closed: true });
    expect(answer.text).toMatch(/^HTTP\/1\.1 200 [^]*\/first[^]*HTTP\/1\.1 400 /);
  });

  it('does not write into an answer that has begun', async () => {
    const { port } = await serve(
      (_request, response) => void response.writeHead(200, { 'content-length': 10 }).write('12345'),
    );
    const answer = await rawExchange(port, post(['Transfer-Encoding: chunked'], 'zz\r\n'));
    expect(answer.closed).toBe(true);
    expect(answer.text).not.toContain('400');
  });

  it('a target as proxies send it, HTTP/1.0 and unknown methods are answered', async () => {
    const { port } = await serve();
    const exchange = (...head: string[]) => rawExchange(port, [...head, '', ''].join('\r\n'));
    const get = 'GET /x HTTP/1.1';
    expect(await exchange('GET http://h/x HTTP/1.1', 'Host: x', 'Connection: close')).toMatchObject({ status: 200 });
    expect(await exchange('GET /x HTTP/1.0')).toMatchObject({ status: 200 });
    expect(await exchange('BREW /x HTTP/1.1', 'Host: x')).toMatchObject({ status: 400, closed: true });
    expect(await exchange('CONNECT h:443 HTTP/1.1', 'Host: h:443')).toMatchObject({ status: 405, closed: true });
    expect(await exchange(get, 'Host: x', 'Upgrade: h2c', 'Connection: Upgrade, close')).toMatchObject({ status: 200 });
    expect(await exchange(get, 'Host: x', 'Expect: 200-maybe', 'Connection: close')).toMatchObject({ status: 400 });
  });
});

describe('F77 a client that sends its request slowly or without end', () => {
  it('headers beyond 16 KiB are 400 and closed', async () => {
    const { port } = await serve();
    const answer = await rawExchange(port, `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatchObject({ status: 400, closed: true });
    expect(answer.text).toMatch(/too large/);
  });

  it('a flood of chunk extensions is 413 and closed', async () => {
    const { port } = await serve();
    const answer = await rawExchange(port, post(['Transfer-Encoding: chunked'], `1;${'a'.repeat(40_000)}\r\n{\r\n`));
    expect(answer).toMatchObject({ status: 413, closed: true });
  });

  it.each([
    ['headers', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    ['a body', post(['Content-Length: 100'], '{')],
  ])('slow %s are 408 and closed', async (_what, beginning) => {
    const { port } = await serve(echo, { headersTimeoutMs: 300, requestTimeoutMs: 300 });
    const answer = await rawExchange(port, beginning);
    expect(answer).toMatchObject({ status: 408, answers: 1, closed: true });
    expect(answer.text).toMatch(/"code":"request_timeout"/);
  });

  it('an answer before the body was read arrives, and the rest of the body is not read for ever', async () => {
    const { port } = await serve((request, response) => sendJson(response, 401, { refused: request.url }));
    const socket = open(port);
    socket.write(post(['Content-Length: 1000000000'], 'a'.repeat(100_000)));
    await eventually(() => socket.received().includes('401'), { withinMs: 1_000 });
    const drip = setInterval(() => socket.write('a'.repeat(1_000)), 50);
    await eventually(() => socket.destroyed, { withinMs: 5_000 }).finally(() => clearInterval(drip));
  });

  it('a connection goes on after a small body that nobody read', async () => {
    const { port } = await serve((_request, response) => sendJson(response, 401, {}));
    const answer = await rawExchange(
      port,
      post(['Content-Length: 2'], '{}') + post(['Content-Length: 2', 'Connection: close'], '{}'),
    );
    expect(answer).toMatchObject({ answers: 2, closed: true });
  });
});

describe('a stop', () => {
  const slowly =
    (ms: number): Handle =>
    (request: IncomingMessage, response: ServerResponse) =>
      void setTimeout(() => sendJson(response, 200, { path: request.url }), ms);

  it('lets running requests end with `Connection: close`, and takes no new connection', async () => {
    let end: (() => unknown) | undefined;
    const { server, port } = await serve((_request, response) => void (end = () => sendJson(response, 200, {})));
    const answer = fetch(`http://127.0.0.1:${port}/slow`);
    await eventually(() => end !== undefined, { withinMs: 5_000 });
    const stopped = server.stop();
    await wait(50);
    await expect(fetch(`http://127.0.0.1:${port}/late`)).rejects.toThrow('fetch failed');
    end?.();
    expect((await answer).status).toBe(200);
    expect((await answer).headers.get('connection')).toBe('close');
    await stopped;
  });

  it('closes idle connections', async () => {
    const { server, port } = await serve();
    const socket = open(port);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually(() => socket.received().includes('200'), { withinMs: 1_000 });
    await server.stop();
    await eventually(() => socket.destroyed, { withinMs: 1_000 });
  });

  it('cuts off requests that do not end within the deadline', async () => {
    const { server, port } = await serve(() => undefined, { drainMs: 200 });
    const socket = open(port);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await wait(50);
    await server.stop();
    await eventually(() => socket.destroyed, { withinMs: 1_000 });
  });

  it('F87 fails no request of clients that keep their connections', async () => {
    const { server, port } = await serve(slowly(1), { lingerMs: 250 });
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    let isStopping = false;
    const statuses: (number | string)[] = [];
    const client = async () => {
      while (!isStopping) statuses.push(await get(agent, port));
      statuses.push(await get(agent, port)); // the first one after the stop began
    };
    const clients = [client(), client(), client(), client()];
    await eventually(() => statuses.length > 20, { withinMs: 10_000 });
    const stopped = server.stop();
    isStopping = true;
    await Promise.all([...clients, stopped]);
    agent.destroy();
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('says on /readyz that it is stopping, while it still answers', async () => {
    const { server, port } = await serve(echo, { lingerMs: 2_000 });
    const stopped = server.stop();
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('connection')).toBe('close');
    expect(await answer.json()).toMatchObject({ code: 'unavailable', detail: 'Not ready.' });
    await stopped;
  });

  it('does no harm without a start, or twice', async () => {
    const { server } = await serve();
    await expect(Promise.all([server.stop(), server.stop()])).resolves.toBeDefined();
    await expect(server.stop()).resolves.toBeUndefined();
    await expect(createHttpServer(echo, { host: '127.0.0.1', port: 0, log }).stop()).resolves.toBeUndefined();
  });
});

describe('health', () => {
  it('is live as long as it answers, and ready when all parts are ok or degraded', async () => {
    const checks: Record<string, string> = { database: 'ok' };
    const { port } = await serve(echo, { readiness: () => checks, showsChecks: true });
    expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
    expect(await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()).toEqual({ status: 'ok', checks });
    checks['redis'] = 'degraded: away'; // it does its work less well, and is ready
    expect(await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()).toEqual({ status: 'ok', checks });
    checks['database'] = 'cannot reach PostgreSQL';
    const unready = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect(unready.status).toBe(503);
    expect(unready.headers.get('retry-after')).toBe('1');
    expect(await unready.json()).toMatchObject({ code: 'unavailable', instance: '/readyz', checks });
  });

  it('F161 tells strangers only whether it is ready, and the log the reason, once', async () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const checks: Record<string, string> = { database: 'cannot reach 10.1.2.3' };
    const { port } = await serve(echo, {
      readiness: () => checks,
      log: createLogger({ name: 'test', level: 'info', destination }),
    });
    const ask = async () => fetch(`http://127.0.0.1:${port}/readyz`);
    await ask();
    const unready = await ask();
    expect([unready.status, unready.headers.get('retry-after')]).toEqual([503, '1']);
    const text = await unready.text();
    expect(text).not.toMatch(/database|10\.1|checks/);
    expect(JSON.parse(text)).toMatchObject({ code: 'unavailable', detail: 'Not ready.' });
    checks['database'] = 'ok';
    expect(await (await ask()).json()).toEqual({ status: 'ok' });
    expect(lines.filter((line) => line.includes('cannot reach 10.1.2.3'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('ready again'))).toHaveLength(1);
  });

  it('is not ready when a check fails', async () => {
    const { port } = await serve(echo, { readiness: () => ({ database: Promise.reject(new Error('secret')) }) });
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect(answer.status).toBe(503);
    expect(await answer.text()).not.toContain('secret');
  });

  it('F274 names the check that hangs, and that one alone', async () => {
    const { port } = await serve(echo, {
      readiness: () => ({
        credentials: 'ok',
        pool: Promise.resolve('ok'),
        database: new Promise<string>(() => undefined),
      }),
      showsChecks: true,
    });
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    const checks = { credentials: 'ok', pool: 'ok', database: 'no answer in 2000 ms' };
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ detail: 'Not ready: database.', checks });
  });
});

function get(agent: Agent, port: number): Promise<number | string> {
  return new Promise((resolve) => {
    const request = httpRequest({ agent, port, host: '127.0.0.1', path: '/' }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', (error) => resolve(error.message)).end();
  });
}
