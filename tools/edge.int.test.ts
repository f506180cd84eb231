import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { get } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { isErrorCode } from '../packages/kernel/src/error-codes.ts';
import { eventually } from '../packages/testkit/src/eventually.ts';
import { findFreePorts } from '../packages/testkit/src/find-free-ports.ts';
import { listenLocally } from '../packages/testkit/src/listen-locally.ts';
import { rawExchange } from '../packages/testkit/src/raw-http.ts';
import { describeWithNginx, startEdge, type EdgeOptions } from './start-edge.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** Leads all services to one server. */
function openEdge(upstream: number, options: Omit<EdgeOptions, 'upstream'> = {}): Promise<number> {
  return startEdge({ ...options, upstream: `http://127.0.0.1:${upstream}` }, (step) => undo.push(step));
}

async function startUpstream(answer: (response: ServerResponse, request: IncomingMessage) => void): Promise<number> {
  const server = createServer((request, response) => answer(response, request));
  undo.push(() => server.close().closeAllConnections());
  return listenLocally(server);
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  undo.push(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** Asks over TLS without knowing the issuer, which is this test. */
function askTls(port: number, path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, rejectUnauthorized: false, agent: false };
    get(options, (answer) => resolve(answer.resume())).on('error', reject);
  });
}

describeWithNginx('the edge', () => {
  it('F195 serves TLS with a certificate of its folder, tells browsers to stay there, and sends people there, programs not', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tollgate-tls-'));
    undo.push(() => rm(folder, { recursive: true }));
    const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')];
    const made = spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=edge', ...files]);
    expect(made.status).toBe(0);
    const upstream = await startUpstream((response) => response.end('{}'));
    const [tlsPort = 0] = await findFreePorts(1);
    const changes = [
      ['listen 8443 ssl', `listen 127.0.0.1:${tlsPort} ssl`],
      ['/etc/nginx/tls/', `${folder}/`],
    ] as const;
    const port = await openEdge(upstream, { changes, protocol: 'https' });
    for (const path of ['/v1/tools', '/-/unavailable']) {
      const { statusCode, headers } = await askTls(tlsPort, path);
      expect([statusCode, headers['strict-transport-security']]).toEqual([
        path === '/v1/tools' ? 200 : 404,
        'max-age=31536000; includeSubDomains',
      ]);
    }
    const plain = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' });
    const page = await plain('/docs?a=1');
    expect([page.status, page.headers.get('location')]).toEqual([308, 'https://127.0.0.1/docs?a=1']);
    expect((await plain('/device')).headers.get('location')).toBe('https://127.0.0.1/device');
    const call = await plain('/v1/tools'); // its credential went in the clear, and a redirect would hide that
    expect([call.status, await call.json()]).toMatchObject([400, { code: 'invalid_request' }]);
  });

  it.each([
    ['a request that is none', 'GARBAGE\r\n\r\n', 400, 'invalid_request'],
    ['HTTP/1.1 without a host', 'GET / HTTP/1.1\r\n\r\n', 400, 'invalid_request'],
    [
      'a header that is too large',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
      400,
      'invalid_request',
    ],
    ['an address that is too long', `GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 400, 'invalid_request'],
    ['another version of HTTP', 'GET / HTTP/3.1\r\nHost: x\r\n\r\n', 400, 'invalid_request'],
    ['TRACE', 'TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 405, 'method_not_allowed'],
    [
      'a body that is too large',
      'POST /v1/events HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n',
      413,
      'payload_too_large',
    ],
    ['an unknown encoding', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: zip\r\n\r\n', 400, 'invalid_request'],
    ['a page of its own', 'GET /-/unavailable HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404, 'not_found'],
    [
      'a service that is away',
      'GET /v1/tools?secret=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      503,
      'unavailable',
    ],
  ])('F158 refuses %s with a problem document', async (_title, request, status, code) => {
    const [away = 0] = await findFreePorts(1);
    const { text: answer } = await rawExchange(await openEdge(away), request);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/\r\ncontent-type: application\/problem\+json\r\n/i);
    const problem: unknown = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
    expect(problem).toMatchObject({ status, code, instance: expect.stringMatching(/^\/[^?]*$/) });
    expect(isErrorCode(code)).toBe(true);
    expect(answer).not.toContain('<html>');
    expect(/\r\nretry-after: 1\r\n/i.test(answer)).toBe(status === 503);
  });

  it.each([
    ['a stranger', '', '127.0.0.1'],
    [
      'a load balancer that the operator names',
      'set_real_ip_from 127.0.0.0/8; real_ip_header X-Forwarded-For; real_ip_recursive on;',
      '203.0.113.7',
    ],
  ])('tells services who calls: of %s', async (_, realIp, address) => {
    const upstream = await startUpstream((response, { headers }) => response.end(headers['x-forwarded-for']));
    const port = await openEdge(upstream, { networkConfig: `resolver 192.0.2.53;\n${realIp}\n` });
    const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' };
    const answer = await fetch(`http://127.0.0.1:${port}/v1/tools`, { headers });
    expect(await answer.text()).toBe(address);
  });

  it('F272 forwards no header that belongs to one connection', async () => {
    const upstream = await startUpstream((response, request) => response.end(JSON.stringify(request.headers)));
    const port = await openEdge(upstream);
    const lines = ['Keep-Alive: timeout=1', 'TE: trailers', 'Upgrade: h2c', 'HTTP2-Settings: AAMA', 'X-Other: 2'];
    const own = ['Proxy-Connection: keep-alive', 'Connection: close, TE, Upgrade, HTTP2-Settings'];
    const head = ['GET /v1/tools HTTP/1.1', 'Host: x', ...lines, ...own, '', ''];
    const { text } = await rawExchange(port, head.join('\r\n'));
    expect(text).toMatch(/^HTTP\/1.1 200 /);
    const passed = JSON.parse(/\{.*\}/.exec(text)?.[0] ?? '{}') as Record<string, string>;
    expect(Object.keys(passed).toSorted()).toEqual(['host', 'x-forwarded-for', 'x-forwarded-proto', 'x-other']);
  });

  it('F272 forwards no answer’s header that belongs to the connection of a service', async () => {
    const own = { connection: 'close', 'keep-alive': 'timeout=5' };
    const port = await openEdge(await startUpstream((response) => response.writeHead(200, own).end('{}')));
    const { text } = await rawExchange(port, 'GET /v1/tools HTTP/1.1\r\nHost: x\r\n\r\n', { withinMs: 500 });
    expect(text).toMatch(/^HTTP\/1.1 200 .*\r\nConnection: keep-alive\r\n/s);
    expect(text).not.toMatch(/timeout=5/);
  });

  it('F272 refuses a request whose Connection names a header that nginx cannot keep back', async () => {
    const port = await openEdge(await startUpstream((response) => response.end('{}')));
    const head = ['GET /v1/tools HTTP/1.1', 'Host: x', 'Connection: close, X-Mine', 'X-Mine: 1', '', ''];
    const { text } = await rawExchange(port, head.join('\r\n'));
    expect(text).toMatch(/^HTTP\/1.1 400 .*"code":"invalid_request"/s);
  });

  it('F158 leaves the answers of services as they are', async () => {
    const port = await openEdge(await startUpstream((response) => response.writeHead(404).end('{"mine":true}')));
    const answer = await fetch(`http://127.0.0.1:${port}/v1/tools`);
    expect([answer.status, await answer.text()]).toEqual([404, '{"mine":true}']);
  });

  it('F157 300 idle connections of one address keep no new caller out', async () => {
    const upstream = await startUpstream((response) => response.end('{}'));
    const port = await openEdge(upstream, { changes: [['worker_connections 8192', 'worker_connections 256']] });
    const idle = await Promise.all(Array.from({ length: 300 }, () => open(port)));
    const answers = await Promise.all([1, 2, 3].map(() => fetch(`http://127.0.0.1:${port}/v1/tools`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(idle.some((socket) => socket.closed)).toBe(true);
  });

  it('F157 an address waits for a bounded number of answers at once, and is told so', async () => {
    const held: ServerResponse[] = [];
    const upstream = await startUpstream((response) => void held.push(response));
    const port = await openEdge(upstream, { changes: [['limit_conn per_address 500', 'limit_conn per_address 3']] });
    const ask = () => fetch(`http://127.0.0.1:${port}/v1/tools`);
    const first = [ask(), ask(), ask()];
    await eventually(() => held.length === 3, { withinMs: 2_000 });
    const refused = await ask();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await refused.json()).toMatchObject({ code: 'rate_limit_exceeded', instance: '/v1/tools' });
    for (const response of held) response.end('{}');
    for (const answer of first) expect((await answer).status).toBe(200);
    const next = ask();
    await eventually(() => held.length === 4, { withinMs: 2_000 });
    held[3]?.end('{}');
    expect((await next).status).toBe(200);
  });
});
