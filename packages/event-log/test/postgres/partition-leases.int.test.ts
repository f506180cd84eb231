import { once } from 'node:events';
import { afterEach, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { startFaultProxy } from '@tollgate/testkit/fault-proxy';
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
  const proxy = await startFaultProxy({ port: Number(new URL(url).port) });
  cleanUps.push(proxy.close);
  await lease(proxy.through(url), []);
  const held: number[] = [];
  await lease(url, held);
  proxy.stall();
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
