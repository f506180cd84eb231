import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { testDatabase } from '@tollgate/testkit/postgres';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createPartitionLeases } from '../../src/postgres/partition-leases.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

it('F14 takes over from a member that hangs: its connection lives, but it sends nothing more', async () => {
  const database = await testDatabase();
  cleanUps.push(database.drop);
  const url = database.urlFor('aggregator_worker');
  const path = await openPath(url);
  await lease(path.url, []);
  const held: number[] = [];
  await lease(url, held);
  path.hang();
  await eventually(() => held.length === 2, { withinMs: 15_000 });
}, 30_000);

async function lease(url: string, held: number[]): Promise<void> {
  const leases = createPartitionLeases({
    url,
    name: 'group',
    partitions: 2,
    log,
    whileLeased: async (partition, signal) => {
      held.push(partition);
      await once(signal, 'abort');
    },
  });
  await leases.start();
  cleanUps.push(leases.stop);
  await new Promise((resolve) => setTimeout(resolve, 300)); // long enough to take the free partitions
}

/** A path to the server. From `hang` on nothing moves on it, and nothing is closed. */
async function openPath(url: string): Promise<{ url: string; hang(): void }> {
  const target = new URL(url);
  const port = Number(target.port);
  const sockets: Socket[] = [];
  let isHanging = false;
  const server = createServer((client) => {
    sockets.push(client);
    if (isHanging) return;
    const upstream = connect(port, target.hostname);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.pipe(upstream).pipe(client);
    sockets.push(upstream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => server.close());
  cleanUps.push(() => sockets.forEach((socket) => socket.destroy()));
  target.port = String((server.address() as AddressInfo).port); // it listens on a port
  return {
    url: target.href,
    hang() {
      isHanging = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
  };
}
