import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as databases from '@tollgate/database/database';
import type * as embedded from '@tollgate/database/embedded/start-embedded-postgres';
import type * as migrations from '@tollgate/database/migrate';
import type * as keys from '@tollgate/key-archive/key-archives';
import type * as logging from '@tollgate/runtime/logging/create-logger';
import type { Flush } from '../../services/aggregator/src/counting/plan-flush.ts';
import type * as counting from '../../services/aggregator/src/counting/pg-usage-store.ts';
import type * as retention from '../../services/aggregator/src/retention/day-tables.ts';
import { makeEvents, type StoreEvent } from './make-events.ts';
import type { StoreAnswer, StorePlan, StoreRequest } from './open-store.ts';

/**
 * The process of `open-store.ts`: the usage store of the built checkout that it is given, on a PostgreSQL that the same
 * checkout starts and migrates. It imports only types of the checkout that it lies in, so that it can run any other.
 */
const [, , root = '', dataDir = ''] = process.argv;
const topic = 'usage.events.v1';
const partitionsMax = 4;

const clock = { now: () => Date.now(), monotonicMs: () => performance.now() };
const { createLogger } = await load<typeof logging>('packages/runtime/dist/logging/create-logger.js');
const log = createLogger({ name: 'bench-store', level: 'warn' });
const { startEmbeddedPostgres } = await load<typeof embedded>(
  'packages/database/dist/embedded/start-embedded-postgres.js',
);
const postgres = await startEmbeddedPostgres({ dataDir, log });
const { migrate } = await load<typeof migrations>('packages/database/dist/migrate.js');
await migrate({ ownerUrl: postgres.ownerUrl, rolePasswords: postgres.rolePassword, log });
const { createDatabase } = await load<typeof databases>('packages/database/dist/database.js');
const url = postgres.urlFor('aggregator_worker');
const database = createDatabase({ url, name: 'bench', log, statementTimeoutMs: 60_000 });
const { createDayTables } = await load<typeof retention>('services/aggregator/dist/retention/day-tables.js');
const ensureDays = createDayTables(database).ensure;
const { createKeyArchives } = await load<typeof keys>('packages/key-archive/dist/key-archives.js');
const archives = createKeyArchives({ database, folder: undefined, log });
const { createPgUsageStore } = await load<typeof counting>('services/aggregator/dist/counting/pg-usage-store.js');
const store = createPgUsageStore({ database, ensureDays, archives, clock });
await store.registerPartitions(topic, partitionsMax);
const nextOffsets = await Promise.all(
  Array.from({ length: partitionsMax }, (_, partition) => store.cursorOf(topic, partition)),
);
let events: StoreEvent[] = [];

process.on('message', (request: StoreRequest) => {
  void answer(request).then(
    (value) => process.send?.(value),
    (error: Error) => process.send?.({ kind: 'failed', reason: error.stack ?? error.message } satisfies StoreAnswer),
  );
});
process.send?.({
  kind: 'ready',
  postgresPid: postgres.pid,
  ownerUrl: postgres.ownerUrl,
  statementsUrl: postgres.urlFor('postgres'),
} satisfies StoreAnswer);

async function answer(request: StoreRequest): Promise<StoreAnswer> {
  switch (request.kind) {
    case 'make':
      events = makeEvents({ ...request.plan, nowMs: clock.now() });
      await ensureDays([new Date(clock.now()).toISOString().slice(0, 10)]);
      return { kind: 'done' };
    case 'ensure-days':
      await ensureDays(request.dates);
      return { kind: 'done' };
    case 'store':
      return { kind: 'stored', seconds: await storeAll(request.plan) };
    case 'stop':
      await database.stop();
      await postgres.stop();
      setImmediate(() => process.disconnect());
      return { kind: 'done' };
  }
}

/** Each consumer is in one partition, as in the log. */
async function storeAll({ flushEvents, consumers, partitions }: StorePlan): Promise<number> {
  const partitionOf = new Map(consumers.map((consumer, index) => [consumer, index % partitions]));
  const parts = Map.groupBy(events, ({ consumer_id: consumer }) => partitionOf.get(consumer) ?? 0);
  const startedMs = performance.now();
  await Promise.all([...parts].map(([partition, part]) => storePart(partition, part, flushEvents)));
  return (performance.now() - startedMs) / 1_000;
}

async function storePart(partition: number, part: readonly StoreEvent[], flushEvents: number): Promise<void> {
  for (let at = 0; at < part.length; at += flushEvents) await storeFlush(partition, part.slice(at, at + flushEvents));
}

async function storeFlush(partition: number, batch: readonly StoreEvent[]): Promise<void> {
  const expectedOffset = nextOffsets[partition] ?? 0n;
  nextOffsets[partition] = expectedOffset + BigInt(batch.length);
  const flush: Flush = {
    topic,
    partition,
    expectedOffset,
    nextOffset: expectedOffset + BigInt(batch.length),
    lastReceivedAt: undefined,
    lastRecord: undefined,
    events: batch.map((event, index) => ({ offset: expectedOffset + BigInt(index), event, bytes: Buffer.alloc(0) })),
    repeats: [],
    undecodable: [],
  };
  const { recorded } = await store.commit(flush, undefined);
  if (recorded !== batch.length) throw new Error(`${recorded} of ${batch.length} events were counted`);
}

async function load<Module>(file: string): Promise<Module> {
  return (await import(pathToFileURL(join(root, file)).href)) as Module; // compiled from the file whose type it is given
}
