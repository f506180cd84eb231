import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { eventually } from '@tollgate/testkit/eventually';
import { rawExchange } from '@tollgate/testkit/raw-http';
import fc from 'fast-check';
import { createLogger } from '../../src/logging/create-logger.ts';
import { sendJsonText } from '../../src/http/answers/send-json.ts';
import { defaultConnectionBounds } from '../../src/http/serving/bound-connections.ts';
import {
  createHttpServer,
  type Handle,
  type HttpServer,
  type HttpServerOptions,
} from '../../src/http/serving/create-http-server.ts';
import type { PlainExchange, TakePlain } from '../../src/http/serving/plain-connections.ts';
import { readPlainRequest } from '../../src/http/serving/read-plain-request.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const running: HttpServer[] = [];
const sockets: Socket[] = [];
const soon = { withinMs: 10_000 };

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of running.splice(0)) await server.stop();
});

/** Reads the body, and answers with it. */
async function answerAsNode(request: IncomingMessage, response: ServerResponse, by: string): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  sendJsonText(response, 200, toText(by, Buffer.concat(chunks)));
}

function toText(by: string, body: Buffer): string {
  return JSON.stringify({ by, body: body.toString() });
}

function answerPlainly(exchange: PlainExchange): void {
  const text = toText('plain', exchange.request.body);
  const length = String(Buffer.byteLength(text));
  exchange.answer(200, ['content-type', 'application/json; charset=utf-8', 'content-length', length], text);
}

/** Takes a request at once, as messages, later, or not at all: its path says how. */
function takeByPath(later: PlainExchange[]): TakePlain {
  return (exchange) => {
    const { url } = exchange.request;
    if (url === '/plain') answerPlainly(exchange);
    else if (url === '/later') later.push(exchange);
    else if (url === '/messages') {
      const { request, response } = exchange.toMessages();
      void answerAsNode(request, response, 'messages');
    } else return false;
    return true;
  };
}

async function serve(options: Partial<HttpServerOptions> = {}) {
  const later: PlainExchange[] = [];
  const byNode = (request: IncomingMessage, response: ServerResponse): void =>
    void answerAsNode(request, response, 'node').catch(() => undefined);
  const handle: Handle = Object.assign(byNode, { takePlain: takeByPath(later) });
  const server = createHttpServer(handle, { host: '127.0.0.1', port: 0, log, lingerMs: 0, ...options });
  await server.start();
  running.push(server);
  return { server, port: server.address().port, later };
}

async function open(port: number) {
  let text = '';
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.setNoDelay(true).setEncoding('latin1');
  socket.on('data', (chunk: string) => void (text += chunk)).on('error', () => undefined);
  socket.on('end', () => socket.end());
  sockets.push(socket);
  await once(socket, 'connect');
  return { socket, received: () => text, by: () => [...text.matchAll(/"by":"(\w+)"/g)].map(([, by]) => by) };
}

function post(path: string, body = 'abc', more: readonly string[] = []): string {
  return [`POST ${path} HTTP/1.1`, 'Host: x', ...more, `Content-Length: ${body.length}`, '', body].join('\r\n');
}

function cut(text: string, ends: readonly number[]): string[] {
  const starts = [0, ...ends.map((end) => (end < 0 ? text.length + end : end))];
  return starts.map((start, index) => text.slice(start, starts[index + 1]));
}

/** The server has seen by then what others did before. */
async function aTurnLater(port: number): Promise<void> {
  const { socket, by } = await open(port);
  socket.write(post('/plain'));
  await eventually(() => by().length === 1, soon);
}

describe('a plain request', () => {
  it.each([
    ['that goes on', []],
    ['that is the last', ['Connection: close']],
  ])('%s is answered as Node answers, byte for byte but the date', async (_title, more) => {
    const { port } = await serve();
    const answers: string[] = [];
    for (const path of ['/plain', '/messages', '/node']) {
      const { received, socket } = await open(port);
      socket.write(post(path, 'abc', more));
      await eventually(() => received().endsWith('}'), soon);
      if (more.length > 0) await eventually(() => socket.closed, soon);
      answers.push(
        received()
          .replace(/Date: .*/, '')
          .replace(/"by":"\w+"/, '')
          .replace(/length: \d+/, ''),
      );
    }
    expect(answers).toEqual([answers[2], answers[2], answers[2]]);
    expect(answers[0]).toMatch(more.length > 0 ? /Connection: close\r\n/ : /Keep-Alive: timeout=65\r\n/);
  });

  it('is followed by others on its connection, and Node reads on with the first that is not plain', async () => {
    const { port } = await serve();
    const { socket, by } = await open(port);
    const paths = ['/plain', '/messages', '/plain', '/node', '/plain'];
    for (const [index, path] of paths.entries()) {
      socket.write(post(path));
      await eventually(() => by().length === index + 1, soon);
    }
    expect(by()).toEqual(['plain', 'messages', 'plain', 'node', 'node']);
  });

  it('may come in pieces', async () => {
    const { port } = await serve();
    const { socket, by, received } = await open(port);
    const bytes = post('/plain', 'abcdef');
    for (const [index, ends] of [[-4], [10, -3]].entries()) {
      for (const piece of cut(bytes, ends)) {
        socket.write(piece);
        await wait(20); // so that they come as pieces; together they are answered, too
      }
      await eventually(() => by().length === index + 1, soon);
    }
    expect(received().match(/"body":"abcdef"/g)).toHaveLength(2);
  });

  it.each([['/plain'], ['/later'], ['/messages']])('in front of others is answered before them: %s', async (path) => {
    const { port, later } = await serve();
    const together = await open(port);
    together.socket.write(post(path, 'a') + post('/node', 'b') + post('/plain', 'c'));
    await eventually(() => together.by().length === 3, soon);
    expect(together.received().match(/"body":"."/g)).toEqual(['"body":"a"', '"body":"b"', '"body":"c"']);
    const early = await open(port);
    early.socket.write(post('/later', 'a'));
    await eventually(() => later.length === 1, soon);
    for (const body of ['b', 'c']) early.socket.write(post('/plain', body));
    await wait(20);
    for (const exchange of later) answerPlainly(exchange);
    await eventually(() => early.by().length === 3, soon);
    expect(early.received().match(/"body":"."/g)).toEqual(['"body":"a"', '"body":"b"', '"body":"c"']);
  });

  it('whose client has gone ends all the same, when it is answered by messages', async () => {
    const { port, later } = await serve();
    const { socket } = await open(port);
    socket.write(post('/later'));
    await eventually(() => later.length === 1, soon);
    socket.resetAndDestroy();
    const [exchange] = later;
    await aTurnLater(port);
    const { request, response } = exchange?.toMessages() ?? {};
    const closed = new Promise((resolve) => response?.once('close', resolve));
    response?.end('late');
    await closed;
    expect([request?.destroyed, response?.writableFinished]).toEqual([true, false]);
  });

  it('has one answer', async () => {
    const { port, later } = await serve();
    const { socket, by } = await open(port);
    socket.write(post('/later'));
    await eventually(() => later.length === 1, soon);
    const [exchange] = later;
    if (exchange) answerPlainly(exchange);
    expect(() => exchange?.toMessages()).toThrow('a request has one answer');
    expect(() => exchange?.answer(200, [], '')).toThrow('a request has one answer');
    await eventually(() => by().length === 1, soon);
  });

  it('may be answered at length by its messages, and by their `Connection: close`', async () => {
    const { port, later } = await serve();
    const { socket, received } = await open(port);
    socket.write(post('/later'));
    await eventually(() => later.length === 1, soon);
    const { response } = later[0]?.toMessages() ?? {};
    response?.setHeader('connection', 'close');
    for (let piece = 0; piece < 100; piece += 1) {
      if (response?.write('a'.repeat(64 * 1_024)) === false) await once(response, 'drain');
    }
    response?.end();
    await eventually(() => socket.closed, soon);
    expect(received().match(/a{65536}/g)).toHaveLength(100);
  });

  it('whose client has gone gets no answer, and harms nobody', async () => {
    const { port, later } = await serve();
    for (const leave of ['end', 'resetAndDestroy'] as const) {
      const { socket } = await open(port);
      socket.write(post('/later'));
      await eventually(() => later.length === 1, soon);
      socket[leave]();
      await eventually(() => socket.closed, soon);
      await aTurnLater(port);
      expect(later.pop()?.answer(200, ['content-length', '0'], '')).toBe(false);
    }
    const { socket, by } = await open(port);
    socket.write(post('/plain'));
    await eventually(() => by().length === 1, soon);
  });
});

describe('F77 a client that waits', () => {
  it('F77 with its first bytes is answered with 408', async () => {
    const { port } = await serve({ headersTimeoutMs: 300 });
    expect(await rawExchange(port, '')).toMatchObject({ status: 408, answers: 1, closed: true });
  });

  it('F77 with the end of a head is answered with 408', async () => {
    const { port } = await serve({ headersTimeoutMs: 300 });
    expect(await rawExchange(port, 'POST /plain HTTP/1.1\r\nHost:')).toMatchObject({ status: 408, closed: true });
  });

  it('F77 with the end of a body is answered with 408', async () => {
    const { port } = await serve({ headersTimeoutMs: 300, requestTimeoutMs: 300 });
    const beginning = post('/plain', 'abcdef').slice(0, -1);
    expect(await rawExchange(port, beginning)).toMatchObject({ status: 408, answers: 1, closed: true });
  });

  it('F77 and goes with half a body is answered with 400', async () => {
    const { port } = await serve();
    const { socket, received } = await open(port);
    socket.end(post('/plain', 'abcdef').slice(0, -1));
    await eventually(() => socket.closed, soon);
    expect(received()).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('F77 with the end of a body, and sends it after all, is answered', async () => {
    const { port } = await serve();
    const { socket, by } = await open(port);
    const bytes = post('/plain', 'abcdef');
    socket.write(bytes.slice(0, -1));
    await wait(300);
    socket.write(bytes.slice(-1));
    await eventually(() => by().length === 1, soon);
  });

  it('F77 with its next request is disconnected', async () => {
    const { port } = await serve({ keepAliveTimeoutMs: 300 });
    const { socket, by } = await open(port);
    const askedMs = systemClock.monotonicMs();
    socket.write(post('/plain'));
    await eventually(() => socket.closed, soon);
    expect(by()).toEqual(['plain']);
    expect(systemClock.monotonicMs() - askedMs).toBeGreaterThan(1_250); // a second longer than it was told
  });
});

describe('a stop', () => {
  it('lets plain requests end with `Connection: close`, and closes idle connections', async () => {
    const { server, port, later } = await serve();
    const [asking, idle, fresh] = [await open(port), await open(port), await open(port)];
    idle.socket.write(post('/plain'));
    await eventually(() => idle.by().length === 1, soon);
    asking.socket.write(post('/later'));
    await eventually(() => later.length === 1, soon);
    const stopped = server.stop();
    await eventually(() => idle.socket.closed && fresh.socket.closed, soon);
    for (const exchange of later) answerPlainly(exchange);
    await stopped;
    await eventually(() => asking.socket.closed, soon);
    expect(asking.received()).toMatch(/Connection: close\r\n[^]*"by":"plain"/);
  });

  it('cuts off those that do not end within the deadline', async () => {
    const { server, port, later } = await serve({ drainMs: 200 });
    const { socket } = await open(port);
    socket.write(post('/later'));
    await eventually(() => later.length === 1, soon);
    await server.stop();
    await eventually(() => socket.closed, soon);
  });
});

it('F83 A connection that waits for a plain answer stays at the bound, and F157 an idle one goes', async () => {
  const { port, later } = await serve({ connections: { ...defaultConnectionBounds, perAddressMax: 2 } });
  const asking = [await open(port), await open(port)];
  for (const { socket } of asking) socket.write(post('/later'));
  await eventually(() => later.length === 2, soon);
  const refused = await open(port);
  await eventually(() => refused.socket.closed, soon);
  for (const exchange of later) answerPlainly(exchange);
  await eventually(() => asking.every(({ by }) => by().length === 1), soon);
  const next = await open(port);
  next.socket.write(post('/plain'));
  await eventually(() => next.by().length === 1 && asking.some(({ socket }) => socket.closed), soon);
});

describe('F81 bytes that two parsers may read in two ways', () => {
  it('F81 are read as plain only if Node reads the same request from them', async () => {
    const node = await startJudge();
    let plain = 0;
    const isEqual = fc.asyncProperty(nearlyPlain(), async (bytes) => {
      const request = readPlainRequest(bytes);
      if (request === undefined || request === 'incomplete') return;
      plain += 1;
      const { method, url, headers, rawHeaders, body, keepsAlive } = request;
      expect(await node.read(bytes)).toEqual([
        { method, url, headers, rawHeaders, body: body.toString('latin1'), keepsAlive },
      ]);
    });
    try {
      await fc.assert(isEqual, { numRuns: 4_000 });
    } finally {
      await node.close();
    }
    expect(plain).toBeGreaterThan(400);
    expect(plain).toBeLessThan(3_600);
  });

  it.each([
    ['a second length', ['Content-Length: 3']],
    ['another length', ['Content-Length: 4']],
    ['a length in other letters', ['content-length: 3']],
    ['chunks', ['Transfer-Encoding: chunked']],
    ['an expectation', ['Expect: 100-continue']],
    ['an upgrade', ['Upgrade: h2c']],
    ['a second host', ['Host: y']],
    ['a cookie of a server', ['Set-Cookie: a=1']],
    ['a tab', ['X-A: a\tb']],
    ['a byte above ASCII', ['X-A: \u00e9']],
    ['a bare CR', ['X-A: a\rb']],
    ['a folded line', ['X-A: a', ' b']],
    ['a space before the colon', ['X-A : a']],
    ['two spaces behind the colon', ['X-A:  a']],
    ['no value', ['X-A: ']],
    ['another name of the connection', ['Connection: x-a']],
    ['a name that objects have', ['constructor: a']],
  ])('F81 are Node’s with %s', (_title, more) => {
    expect(readPlainRequest(Buffer.from(post('/plain'), 'latin1'))).toMatchObject({ url: '/plain' });
    expect(readPlainRequest(Buffer.from(post('/plain', 'abc', more), 'latin1'))).toBeUndefined();
  });
});

/** Requests with some of their bytes changed, left out, or doubled, and lines that say much about framing. */
function nearlyPlain(): fc.Arbitrary<Buffer> {
  const line = fc.oneof(
    fc.constantFrom('X-A: 1', 'Connection: close', 'Connection: keep-alive', 'X-B: a, b;c="d"', 'accept: */*'),
    fc.constantFrom('Transfer-Encoding: chunked', 'Content-Length: 3', 'content-length: 5', 'Expect: 100-continue'),
    fc.constantFrom(
      'x-a: 2',
      'Host: y',
      'Connection: Upgrade',
      'Upgrade: x',
      'X-C:',
      ' folded',
      'no colon',
      '__proto__: 1',
    ),
  );
  const change = fc.record({
    place: fc.nat(400),
    removed: fc.nat(2),
    bytes: fc.constantFrom(
      '',
      '\r',
      '\n',
      '\r\n',
      ' ',
      '\t',
      ':',
      ',',
      '\0',
      '\u007f',
      '\u0080',
      '\u00ff',
      '0',
      '+',
      'a',
    ),
  });
  const parts = fc.record({
    path: fc.constantFrom(
      '/v1/events',
      '/v1/events',
      '/v1/events',
      '/v1/events?a=1',
      '/',
      '/%00',
      'http://x/v1/events',
      '*',
      '/a b',
    ),
    body: fc.constantFrom('{}', 'abc', '{"a":1}\r\n', 'a'.repeat(120)),
    more: fc.array(fc.oneof(line, fc.constantFrom('X-D: d', 'X-E: e')), { maxLength: 2 }),
    changes: fc.array(change, { maxLength: 2 }),
    next: fc.constantFrom('', '', '', '', '\r\n', 'GET / HTTP/1.1\r\n\r\n'),
  });
  return parts.map(({ path, body, more, changes, next }) => {
    let text = post(path, body, more) + next;
    for (const { place, removed, bytes } of changes)
      text = text.slice(0, place) + bytes + text.slice(Math.min(place + removed, text.length));
    return Buffer.from(text, 'latin1');
  });
}

/** Reads bytes by Node's own parser: each request that it finds in them, until they end. */
async function startJudge() {
  const read: unknown[] = [];
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: 0 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers, rawHeaders } = request;
      const body = Buffer.concat(chunks).toString('latin1');
      read.push({ method, url, headers, rawHeaders, body, keepsAlive: response.shouldKeepAlive });
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    async read(bytes: Buffer): Promise<unknown[]> {
      read.length = 0;
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined).resume();
      socket.end(bytes);
      await once(socket, 'close');
      return [...read];
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
