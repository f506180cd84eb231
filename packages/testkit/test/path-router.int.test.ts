import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '../src/eventually.ts';
import { serveHttp, type HttpServer } from '../src/http-server.ts';
import { startPathRouter, type PathRouter } from '../src/path-router.ts';
import { rawExchange, type RawAnswer } from '../src/raw-http.ts';

let seen: IncomingHttpHeaders[];
let answer: (response: ServerResponse) => void;
let service: HttpServer;
let edge: PathRouter;

beforeEach(async () => {
  seen = [];
  answer = (response) => response.end('{}');
  service = await serveHttp((request, response) => {
    if (request.url === '/readyz') return response.end();
    seen.push(request.headers);
    return answer(response);
  });
  edge = await startPathRouter({ askEveryMs: 60_000 }); // only once, by `add`
  await edge.add('billing', service.baseUrl);
});
afterEach(async () => {
  await edge.close();
  await service.close();
});

/** Sends a request for a tool with these header lines, over a connection of its own. */
function ask(...lines: readonly string[]): Promise<RawAnswer> {
  const head = ['GET /v1/tools HTTP/1.1', 'Host: x', ...lines, 'Connection: close', '', ''];
  return rawExchange(Number(new URL(edge.baseUrl).port), head.join('\r\n'));
}

it('F272 forwards no header that belongs to one connection, nor one that Connection names', async () => {
  const lines = [
    'Keep-Alive: timeout=1',
    'TE: trailers',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMA',
    'Proxy-Connection: x',
  ];
  const named = ['Connection: Upgrade, HTTP2-Settings', 'Connection: x-mine', 'X-Mine: 1', 'X-Other: 2'];
  expect((await ask(...lines, ...named)).status).toBe(200);
  expect(seen).toEqual([{ host: 'x', 'x-other': '2', connection: 'keep-alive' }]);
});

it('F272 a caller that closes its connection takes no service from other callers', async () => {
  for (let times = 0; times < 3; times += 1) expect((await ask()).status).toBe(200);
});

it('F272 a service that closes one connection is asked whether it is ready, and has the next request', async () => {
  answer = (response) => response.writeHead(400, { connection: 'close', 'keep-alive': 'timeout=5' }).end();
  const { status, text } = await ask();
  expect(status).toBe(400);
  expect(text).not.toMatch(/keep-alive/i);
  answer = (response) => response.end('{}');
  expect((await ask()).status).toBe(200);
});

it('F272 says when to come again where it refuses by itself', async () => {
  edge.remove(service.baseUrl);
  const { status, text } = await ask();
  expect(status).toBe(503);
  expect(text).toMatch(/\r\nretry-after: 1\r\n/i);
});

it('F272 outlives a caller that hangs up in the middle of its body', async () => {
  const socket = connect(Number(new URL(edge.baseUrl).port), '127.0.0.1');
  socket.write('POST /v1/tools HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12', () => socket.destroy());
  await eventually(() => socket.closed, { withinMs: 5_000 });
  expect((await ask()).status).toBe(200);
});
