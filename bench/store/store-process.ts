import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Flush } from '../../services/aggregator/src/counting/plan-flush.ts';
import type { UsageStore } from '../../services/aggregator/src/counting/ports.ts';
import { makeEvents, type StoreEvent } from './make-events.ts';
import type { StoreAnswer, StorePlan, StoreRequest } from './open-store.ts';

/**
 * The process of `open-store.ts`: the usage store of the built checkout that it is given, on a PostgreSQL that the same
 * checkout starts and migrates. It imports only types of the checkout that it lies in, so that it can run any other.
 */
const [, , root = '', dataDir = ''] = process.argv;
const topic = 'usage.events.v1';
const partitionsMax = 4;

/** The parts of a checkout that storing needs, each at its places from the newest to the oldest. */
const places = {
  postgres: [
    ['packages/database/dist/embedded/start-embedded-postgres.js', 'startEmbeddedPostgres'],
    ['packages/runtime/dist/embedded-postgres/start-embedded-postgres.js', 'startEmbeddedPostgres'],
  ],
  migrate: [
    ['packages/database/dist/migrate.js', 'migrate'],
    ['packages/runtime/dist/postgres/migrate.js', 'migrate'],
  ],
  database: [
    ['packages/database/dist/database.js', 'createDatabase'],
    ['packages/runtime/dist/postgres/database.js', 'createDatabase'],
  ],
  logger: [['packages/runtime/dist/logging/create-logger.js', 'createLogger']],
  retention: [
    ['services/aggregator/dist/retention/day-tables.js', 'createDayTables'],
    ['services/aggregator/dist/retention/pg-retention-store.js', 'createPgRetentionStore'],
    ['services/aggregator/dist/adapters/pg-retention-store.js', 'createPgRetentionStore'],
  ],
  archives: [['packages/key-archive/dist/key-archives.js', 'createKeyArchives']],
  store: [
    ['services/aggregator/dist/counting/pg-usage-store.js', 'createPgUsageStore'],
    ['services/aggregator/dist/adapters/pg-usage-store.js', 'createPgUsageStore'],
  ],
} as const;

interface Postgres {
  readonly pid: number;
  readonly ownerUrl: string;
  urlFor(role: string): string;
  readonly rolePassword: (role: string) => string;
  stop(): Promise<void>;
}
/** Called `ensureDays` by older checkouts. */
type DayTables =
  | { ensure(dates: readonly string[]): Promise<void> }
  | { ensureDays(dates: readonly string[]): Promise<void> };
type Make<Made> = (options: object) => Made;

const clock = { now: () => Date.now(), monotonicMs: () => performance.now() };
const createLogger = await load<Make<object>>('logger');
const log = createLogger({ name: 'bench-store', level: 'warn' });
const postgres = await (await load<Make<Promise<Postgres>>>('postgres'))({ dataDir, log });
await (
  await load<Make<Promise<void>>>('migrate')
)({ ownerUrl: postgres.ownerUrl, rolePasswords: postgres.rolePassword, log });
const createDatabase = await load<Make<{ stop(): Promise<void> }>>('database');
const url = postgres.urlFor('aggregator_worker');
const database = createDatabase({ url, name: 'bench', log, statementTimeoutMs: 60_000 });
const days = (await load<Make<DayTables>>('retention'))(database);
const ensureDays = (dates: readonly string[]): Promise<void> =>
  'ensure' in days ? days.ensure(dates) : days.ensureDays(dates);
const archives = (await find<Make<object>>('archives'))?.({ database, folder: undefined, log }); // older ones had none
const store = (await load<Make<UsageStore>>('store'))({ database, ensureDays, archives, clock });
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

async function load<Export>(part: keyof typeof places): Promise<Export> {
  const found = await find<Export>(part);
  if (found !== undefined) return found;
  throw new Error(`the checkout ${root} has no ${part} at any of ${places[part].map(([file]) => file).join(', ')}`);
}

async function find<Export>(part: keyof typeof places): Promise<Export | undefined> {
  for (const [file, name] of places[part]) {
    const path = join(root, file);
    if (!existsSync(path)) continue;
    const module = (await import(pathToFileURL(path).href)) as Record<string, Export | undefined>;
    if (module[name] !== undefined) return module[name];
  }
  return undefined;
}
