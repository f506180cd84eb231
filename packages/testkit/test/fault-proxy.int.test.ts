import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { busyMs, eventually } from '../src/eventually.ts';
import { startFaultProxy, type FaultProxy } from '../src/fault-proxy.ts';

/** Answers each line with the same line, and remembers what it got. */
let server: Server;
let received: string;
let accepted: Socket[];
let proxy: FaultProxy;
let clients: Client[];

interface Client {
  readonly socket: Socket;
  received(): string;
  packets: number;
  isClosed(): boolean;
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
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await startFaultProxy({ port: (server.address() as AddressInfo).port });
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
  let isClosed = false;
  const client = { socket, received: () => text, packets: 0, isClosed: () => isClosed };
  clients.push(client);
  socket.on('error', () => undefined);
  socket.on('close', () => (isClosed = true));
  socket.on('data', (chunk) => {
    text += chunk.toString();
    client.packets += 1;
  });
  await once(socket, 'connect');
  return client;
}

const within = { withinMs: 2_000 };
const someTime = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 150));

it('passes everything on while nothing is wrong, and closes when either side does', async () => {
  const client = await open();
  const text = 'x'.repeat(3_000_000);
  client.socket.end(text);
  await eventually(() => client.received().length === text.length && client.isClosed(), within);
  const other = await open();
  await eventually(() => accepted.length === 2, within);
  accepted[1]?.destroy();
  await eventually(() => other.isClosed(), within);
});

it('cuts what is open and what comes, until healed', async () => {
  const client = await open();
  proxy.cut();
  await eventually(() => client.isClosed(), within);
  const late = await open();
  await eventually(() => late.isClosed(), within);
  proxy.heal();
  const healed = await open();
  healed.socket.write('again');
  await eventually(() => healed.received() === 'again', within);
});

it('stalls: connections stay open, nothing passes, and nothing is lost when healed', async () => {
  const client = await open();
  proxy.stall();
  client.socket.write('held');
  const second = await open();
  second.socket.write('too');
  await someTime();
  expect([received, client.isClosed(), second.isClosed()]).toEqual(['', false, false]);
  proxy.heal();
  await eventually(() => client.received() === 'held' && second.received() === 'too', within);
});

it('delays each direction, in order, without delaying each piece after the other', async () => {
  const client = await open();
  proxy.delay(500);
  const startedMs = systemClock.monotonicMs();
  for (const digit of '0123456789') {
    client.socket.write(digit);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await eventually(() => client.received() === '0123456789', within);
  const tookMs = systemClock.monotonicMs() - startedMs;
  expect(tookMs).toBeGreaterThanOrEqual(1_000);
  expect(tookMs).toBeLessThan(1_000 + busyMs); // ten times two delays would be ten seconds
});

it('throttles', async () => {
  const client = await open();
  proxy.throttle(50_000);
  const startedMs = systemClock.monotonicMs();
  client.socket.write('x'.repeat(10_000));
  await eventually(() => client.received().length === 10_000, within);
  expect(systemClock.monotonicMs() - startedMs).toBeGreaterThanOrEqual(350); // 200 ms there, 200 back
});

it('slices', async () => {
  const client = await open();
  proxy.slice(1);
  client.socket.write('0123456789');
  await eventually(() => client.received() === '0123456789', within);
  expect(client.packets).toBeGreaterThan(1);
});

it('leaves a connection half open: gone for the server, open for the client, for new ones no fault', async () => {
  const client = await open();
  client.socket.write('before');
  await eventually(() => client.received() === 'before', within);
  let isServerTold = false;
  accepted[0]?.on('close', () => (isServerTold = true));
  proxy.halfOpen();
  await eventually(() => isServerTold, within);
  client.socket.write('after');
  await someTime();
  expect([received, client.isClosed()]).toEqual(['before', false]);
  const fresh = await open();
  fresh.socket.write('fresh');
  await eventually(() => fresh.received() === 'fresh', within);
});

it('drops one answer: the request passes, the connection is cut in place of the answer', async () => {
  const client = await open();
  const dropped = proxy.dropAnswer((bytes) => bytes.includes('COMMIT'));
  client.socket.write('SELECT');
  await eventually(() => client.received() === 'SELECT', within);
  client.socket.write('COMMIT');
  await dropped;
  await eventually(() => client.isClosed(), within);
  expect([received, client.received()]).toEqual(['SELECTCOMMIT', 'SELECT']);
  const next = await open();
  next.socket.write('COMMIT');
  await eventually(() => next.received() === 'COMMIT', within);
});

it('changes one answer', async () => {
  const client = await open();
  const changed = proxy.changeAnswer(
    (bytes) => bytes.includes('ask'),
    () => Buffer.from('no'),
  );
  client.socket.write('ask');
  await changed;
  await eventually(() => client.received() === 'no', within);
});

it('pairs Kafka requests with their answers by id, whatever is asked beside them', async () => {
  const kafka = await startFaultProxy({ port: (server.address() as AddressInfo).port, framing: 'kafka' });
  const socket = connect(kafka.port, '127.0.0.1');
  socket.on('error', () => undefined);
  server.removeAllListeners('connection').on('connection', (connection: Socket) => {
    accepted.push(connection);
    connection.once('data', () => connection.write(Buffer.concat([answer(1), answer(2)])));
  });
  const answers: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => answers.push(chunk));
  const dropped = kafka.dropAnswer((frame) => frame.readInt16BE(4) === 0);
  const frames = Buffer.concat([request(3, 1), request(0, 2)]);
  socket.write(frames.subarray(0, 17));
  socket.write(frames.subarray(17));
  await dropped;
  await eventually(() => socket.destroyed, within);
  expect(Buffer.concat(answers)).toEqual(answer(1));
  await kafka.close();
});

function request(key: number, id: number): Buffer {
  const frame = Buffer.alloc(12);
  frame.writeInt32BE(8, 0);
  frame.writeInt16BE(key, 4);
  frame.writeInt32BE(id, 8);
  return frame;
}

function answer(id: number): Buffer {
  const frame = Buffer.alloc(8);
  frame.writeInt32BE(4, 0);
  frame.writeInt32BE(id, 4);
  return frame;
}

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
  await someTime();
  expect(client.received()).toBe('begin ');
  proxy.heal();
  await eventually(() => client.received() === 'begin commit and more', within);
});
