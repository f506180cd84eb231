import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { eventually } from '../src/eventually.ts';
import { startFaultProxy, type FaultProxy } from '../src/fault-proxy.ts';
import { listenLocally } from '../src/listen-locally.ts';

/**
 * Shows what the users of the proxy would not notice: faults that do less than they say. A cut, a delay, half-open
 * connections and lost or changed answers are proven by tests that fail without them.
 */
let server: Server;
/** All that the server got. It answers each chunk with the same chunk. */
let received: string;
let accepted: Socket[];
let proxy: FaultProxy;
let clients: Client[];

interface Client {
  readonly socket: Socket;
  received(): string;
  packets: number;
}

beforeEach(async () => {
  received = '';
  accepted = [];
  clients = [];
  server = createServer((socket) => {
    accepted.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received += chunk.toString();
      socket.write(chunk);
    });
  });
  proxy = await startFaultProxy({ port: await listenLocally(server) });
});
afterEach(async () => {
  for (const { socket } of clients) socket.destroy();
  await proxy.close();
  for (const socket of accepted) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

async function open(): Promise<Client> {
  const socket = connect({ port: proxy.port, host: '127.0.0.1', noDelay: true });
  let text = '';
  const client = { socket, received: () => text, packets: 0 };
  clients.push(client);
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    text += chunk.toString();
    client.packets += 1;
  });
  await once(socket, 'connect');
  return client;
}

const within = { withinMs: 2_000 };
const someMs = 150;

it('passes everything on while nothing is wrong, and closes when either side does', async () => {
  const client = await open();
  const text = 'x'.repeat(3_000_000);
  client.socket.end(text);
  await eventually(() => client.received().length === text.length && client.socket.closed, within);
  const other = await open();
  await eventually(() => accepted.length === 2, within);
  accepted[1]?.destroy();
  await eventually(() => other.socket.closed, within);
});

it('stalls: connections stay open, nothing passes, and nothing is lost when healed', async () => {
  const client = await open();
  proxy.stall();
  client.socket.write('held');
  const second = await open();
  second.socket.write('too');
  await sleep(someMs);
  expect([received, client.socket.closed, second.socket.closed]).toEqual(['', false, false]);
  proxy.heal();
  await eventually(() => client.received() === 'held' && second.received() === 'too', within);
});

it('throttles and slices', async () => {
  const client = await open();
  proxy.throttle(50_000);
  const startedMs = systemClock.monotonicMs();
  client.socket.write('x'.repeat(10_000));
  await eventually(() => client.received().length === 10_000, within);
  expect(systemClock.monotonicMs() - startedMs).toBeGreaterThanOrEqual(350); // 200 ms there, 200 back
  proxy.heal();
  proxy.slice(1);
  const before = client.packets;
  client.socket.write('0123456789');
  await eventually(() => client.received().endsWith('0123456789'), within);
  expect(client.packets).toBeGreaterThan(before + 1);
});

it('holds one request with its connection, and lets it go when healed', async () => {
  const client = await open();
  const other = await open();
  const held = proxy.hold((bytes) => bytes.includes('commit'));
  client.socket.write('begin ');
  await eventually(() => client.received() === 'begin ', within);
  client.socket.write('commit ');
  await held;
  client.socket.write('and more');
  other.socket.write('commit ');
  await eventually(() => other.received() === 'commit ', within);
  await sleep(someMs);
  expect(client.received()).toBe('begin ');
  proxy.heal();
  await eventually(() => client.received() === 'begin commit and more', within);
});

it('lets a held request go when healed, and then closes, although its sender was killed', async () => {
  const client = await open();
  const held = proxy.hold((bytes) => bytes.includes('commit'));
  client.socket.write('commit ');
  await held;
  const closed = once(client.socket, 'close');
  client.socket.resetAndDestroy();
  await closed;
  await sleep(someMs); // the proxy has seen it
  const [atServer] = accepted;
  const ended = atServer && once(atServer, 'close');
  proxy.heal();
  await ended;
  expect(received).toBe('commit ');
});

it('tells a request by the one before it on its connection', async () => {
  const [client, other] = [await open(), await open()];
  const held = proxy.hold((bytes, before) => bytes.includes('commit') && before?.includes('update') === true);
  for (const [to, text] of [
    [client, 'update '],
    [other, 'begin '],
    [other, 'commit '],
  ] as const) {
    const before = to.received();
    to.socket.write(text);
    await eventually(() => to.received() === before + text, within);
  }
  client.socket.write('commit ');
  await held;
  await sleep(someMs);
  expect([client.received(), other.received()]).toEqual(['update ', 'begin commit ']);
});
