import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, type AddressInfo, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import { makeCertificates, type Certificate } from '@tollgate/testkit/make-certificates';
import { createOutgoingFetch, type OutgoingOptions } from '../../src/outgoing/create-outgoing-fetch.ts';

interface Proxy {
  readonly port: number;
  /** The targets that it was asked for, or those whose connection has closed. */
  targets(event: 'CONNECT' | 'closed'): string[];
  stop(): Promise<void>;
}

let certificate: Certificate;
let proxy: Proxy;
let receivers: Server[] = [];
let connections = 0;

/** A proxy as a process of its own, by the npm package `proxy`. It tells us what it does on its standard error. */
async function startProxy(...flags: readonly string[]): Promise<Proxy> {
  const [port = 0] = await findFreePorts(1);
  const program = fileURLToPath(new URL('bin/proxy.js', import.meta.resolve('proxy')));
  const child: ChildProcess = spawn(process.execPath, [program, '--port', String(port), ...flags], {
    env: { PATH: process.env['PATH'], DEBUG: 'proxy*' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  await eventually(() => isListening(port), { withinMs: 10_000 });
  const patterns = { CONNECT: /CONNECT (\S+) HTTP/g, closed: /proxy target (\S+) "close" event/g };
  return {
    port,
    targets: (event) => [...said.matchAll(patterns[event])].map(([, target = '']) => target),
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]);
  socket.destroy();
  return isOpen;
}

async function listen(server: Server): Promise<number> {
  receivers.push(server.on('connection', () => (connections += 1)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port; // it listens on a port
}

const sealedReceiver = () => {
  const { cert, key } = certificate;
  return listen(createHttpsServer({ cert, key }, (_request, response) => void response.end('sealed')));
};

const fetchThrough = (options: Partial<OutgoingOptions> = {}) =>
  createOutgoingFetch({
    allowsLoopback: true,
    timeoutMs: 5_000,
    ca: certificate.ca,
    proxyUrl: `http://127.0.0.1:${proxy.port}`,
    ...options,
  });

const failed = (message: RegExp) =>
  expect.objectContaining({ reason: 'failed', message: expect.stringMatching(message) });

beforeAll(async () => {
  certificate = (await makeCertificates(['tools'])).tools;
});

beforeEach(async () => {
  receivers = [];
  connections = 0;
  proxy = await startProxy();
});

afterEach(async () => {
  await proxy.stop();
  for (const server of receivers) server.close();
});

describe('F288 a call through a proxy', () => {
  it('F288 asks it for the judged address, never for the name, and verifies the receiver by its name', async () => {
    const port = await sealedReceiver();
    const resolve = async () => ['127.0.0.1'];
    const answer = await fetchThrough({ resolve })(`https://localhost:${port}/a`);
    expect(await answer.text()).toBe('sealed');
    await expect(fetchThrough({ resolve })(`https://tools.example:${port}/`)).rejects.toEqual(
      failed(/ALTNAME_INVALID/),
    );
    await expect(fetchThrough({ ca: undefined })(`https://127.0.0.1:${port}/`)).rejects.toEqual(failed(/UNABLE_TO/));
    expect(proxy.targets('CONNECT')).toEqual(Array.from({ length: 3 }, () => `127.0.0.1:${port}`));
    expect(connections).toBe(3);
  });

  it('F288 posts, by http too where this machine is called, and takes an answer as one without a proxy', async () => {
    const server = createHttpServer((request, response) => {
      let body = '';
      request.on('data', (part) => (body += String(part)));
      request.on('end', () => response.writeHead(201, { 'x-host': request.headers.host }).end(body));
    });
    const port = await listen(server);
    const answer = await fetchThrough()(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{"a":1}' });
    expect([answer.status, answer.headers.get('x-host'), await answer.text()]).toEqual([
      201,
      `127.0.0.1:${port}`,
      '{"a":1}',
    ]);
    expect(proxy.targets('CONNECT')).toEqual([`127.0.0.1:${port}`]);
  });

  it.each([['10.0.0.1'], ['169.254.169.254'], ['::ffff:10.0.0.1'], ['127.0.0.1']])(
    'F288 is not made to %s: the proxy hears nothing of it',
    async (address) => {
      const outgoingFetch = fetchThrough({ allowsLoopback: false, resolve: async () => [address] });
      await expect(outgoingFetch('https://tools.example/')).rejects.toMatchObject({ reason: 'address' });
      expect(proxy.targets('CONNECT')).toEqual([]);
    },
  );

  it('F288 goes nowhere without its proxy, nor where the proxy opens no connection', async () => {
    const port = await sealedReceiver();
    const [nobody = 0] = await findFreePorts(1);
    await expect(fetchThrough()(`https://127.0.0.1:${nobody}/`)).rejects.toEqual(failed(/no connection \(\d+\)/));
    const away = fetchThrough({ proxyUrl: `http://127.0.0.1:${nobody}` });
    await expect(away(`https://127.0.0.1:${port}/`)).rejects.toEqual(failed(/The proxy did not answer/));
    expect(connections).toBe(0);
  });

  it('F288 tries each judged address of a name in turn', async () => {
    const port = await sealedReceiver();
    const outgoingFetch = fetchThrough({ resolve: async () => ['127.0.0.9', '127.0.0.1'] });
    expect(await (await outgoingFetch(`https://localhost:${port}/`)).text()).toBe('sealed');
    expect(proxy.targets('CONNECT')).toEqual([`127.0.0.9:${port}`, `127.0.0.1:${port}`]);
  });

  it('F288 ends in time where the receiver hangs, and leaves no connection open', async () => {
    const port = await listen(createHttpServer(() => undefined));
    const hangs = fetchThrough({ timeoutMs: 500 })(`http://127.0.0.1:${port}/`);
    await expect(hangs).rejects.toMatchObject({ reason: 'time' });
    const sends = await listen(createHttpServer((_request, response) => void response.end(Buffer.alloc(100_000))));
    await expect(fetchThrough()(`http://127.0.0.1:${sends}/`)).rejects.toMatchObject({ reason: 'size' });
    await eventually(() => proxy.targets('closed').length === 2, { withinMs: 2_000 });
  });

  it('F288 shows the proxy its name and password, and says them to nobody else', async () => {
    const port = await sealedReceiver();
    await proxy.stop();
    proxy = await startProxy('--authenticate', '[ "$PROXY_AUTH_USERNAME:$PROXY_AUTH_PASSWORD" = "tollgate:a b" ]');
    const proxyUrl = `http://tollgate:a%20b@127.0.0.1:${proxy.port}`;
    expect(await (await fetchThrough({ proxyUrl })(`https://127.0.0.1:${port}/`)).text()).toBe('sealed');
    const wrong = fetchThrough({ proxyUrl: proxyUrl.replace('a%20b', 'secret') })(`https://127.0.0.1:${port}/`);
    const error = await wrong.catch((thrown: unknown) => thrown);
    expect(error).toEqual(failed(/no connection \(407\)/));
    expect(String(error)).not.toContain('secret');
  });
});
