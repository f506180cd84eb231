import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { connectionBoundsOf, defaultConnectionBounds } from '../../src/http/serving/bound-connections.ts';
import { createTrustedProxies } from '../../src/http/requests/client-address.ts';
import {
  createHttpServer,
  type Handle,
  type HttpServer,
  type HttpServerOptions,
} from '../../src/http/serving/create-http-server.ts';
import { sendJson } from '../../src/http/answers/send-json.ts';
import { createLogger } from '../../src/logging/create-logger.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const running: HttpServer[] = [];
const sockets: Socket[] = [];
const soon = { withinMs: 2_000 };
const request = 'GET /x HTTP/1.1\r\nHost: x\r\n\r\n';

interface Opened {
  readonly socket: Socket;
  received(): string;
}

async function serve(bounds: Partial<HttpServerOptions['connections']>, handle: Handle = answerAtOnce) {
  const connections = { ...defaultConnectionBounds, ...bounds };
  const server = createHttpServer(handle, { host: '127.0.0.1', port: 0, log, lingerMs: 0, drainMs: 100, connections });
  await server.start();
  running.push(server);
  return server.address().port;
}

const answerAtOnce: Handle = (_request, response) => sendJson(response, 200, {});

/** Each from one address of this machine; all of 127.0.0.0/8 is its own. */
async function open(port: number, localAddress = '127.0.0.1'): Promise<Opened> {
  let text = '';
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.setEncoding('latin1').on('data', (chunk: string) => void (text += chunk));
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return { socket, received: () => text };
}

const openMany = (port: number, count: number) => Promise.all(Array.from({ length: count }, () => open(port)));

async function ask(opened: Opened): Promise<void> {
  const before = opened.received().length;
  opened.socket.write(request);
  await eventually(() => opened.received().slice(before).startsWith('HTTP/1.1 200'), soon);
}

const openOnesOf = (opened: readonly Opened[]) => opened.filter(({ socket }) => !socket.closed).length;

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of running.splice(0)) await server.stop();
});

describe('F157 idle connections', () => {
  it.each([
    ['of one address, at its bound', { perAddressMax: 300 }],
    ['at the bound of all', { connectionsMax: 300 }],
  ])('F157 300 of them keep no caller out, %s', async (_title, bounds) => {
    const port = await serve(bounds);
    const idle = await openMany(port, 300);
    const callers = [await open(port), await open(port, '127.0.0.2')];
    for (const caller of callers) await ask(caller);
    expect(openOnesOf(callers)).toBe(2);
    expect(openOnesOf(idle)).toBeGreaterThanOrEqual(298);
  });

  it('F157 go by how long they have been idle, not by how old they are', async () => {
    const port = await serve({ perAddressMax: 3 });
    const oldest = await open(port);
    const [second, third] = [await open(port), await open(port)];
    await ask(oldest);
    const fourth = await open(port);
    await ask(fourth);
    await eventually(() => second.socket.closed, soon);
    await Promise.all([ask(oldest), ask(third)]);
  });

  it('F157 a request that has not arrived as a whole keeps no connection', async () => {
    const port = await serve({ perAddressMax: 1 });
    const slow = await open(port);
    slow.socket.write('GET /x HTTP/1.1\r\nHost:');
    await ask(await open(port));
    await eventually(() => slow.socket.closed, soon);
  });

  it('F157 leave another address its own', async () => {
    const port = await serve({ perAddressMax: 2 });
    const other = await open(port, '127.0.0.2');
    const idle = await openMany(port, 10);
    await eventually(() => openOnesOf(idle) === 2, soon);
    await ask(other);
  });
});

describe('F83 connections that wait for an answer', () => {
  it('F83 stay, the new one is closed, and an answer makes room for the next', async () => {
    const waiting: ServerResponse[] = [];
    const port = await serve({ perAddressMax: 2 }, (_request, response) => void waiting.push(response));
    const asking = await openMany(port, 2);
    for (const { socket } of asking) socket.write(request);
    await eventually(() => waiting.length === 2, soon);
    const refused = await open(port);
    await eventually(() => refused.socket.closed, soon);
    expect(refused.received()).toBe('');
    for (const response of waiting) sendJson(response, 200, {});
    await eventually(() => asking.every((each) => each.received().startsWith('HTTP/1.1 200')), soon);
    const next = await open(port);
    next.socket.write(request);
    await eventually(() => waiting.length === 3, soon);
  });
});

it('The bound per address is not for a trusted proxy', async () => {
  const port = await serve({ perAddressMax: 2, trustedProxies: createTrustedProxies('127.0.0.1') });
  const proxied = await openMany(port, 10);
  for (const each of proxied) await ask(each);
  expect(openOnesOf(proxied)).toBe(10);
});

it('Reads the bounds from the settings', () => {
  const settings = { HTTP_CONNECTIONS_MAX: 7, HTTP_CONNECTIONS_PER_ADDRESS_MAX: 3, TRUSTED_PROXIES: '10.0.0.0/8' };
  const { trustedProxies, ...bounds } = connectionBoundsOf(settings);
  expect(bounds).toEqual({ connectionsMax: 7, perAddressMax: 3 });
  expect(trustedProxies.includes('10.1.2.3')).toBe(true);
});
