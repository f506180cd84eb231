import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '@tollgate/runtime/embedded-postgres/start-embedded-postgres';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { migrate, serviceRoles } from '@tollgate/runtime/postgres/migrate';
import type { KafkaBroker } from '../kafka/start-kafka.ts';

export interface TestCluster {
  readonly superuserUrl: string;
  readonly ownerUrl: string;
  readonly roleUrls: Readonly<Record<string, string>>;
}

export interface TestKafka {
  /** `host:port`. */
  readonly address: string;
}

/** The one answer of a socket of the keeper: how to reach the server, or why there is none. */
export type KeeperAnswer<Server> = Server | { readonly error: string };

/**
 * Keeps the servers of one jest run, PostgreSQL (migrated) and Kafka: starts each when first asked for it, answers where
 * it is, and when its standard input closes stops them and removes every trace. Started by global-setup.ts, on Node's
 * own type stripping.
 */
const folder = process.argv[2] ?? '';
const log = createLogger({ name: 'test-cluster', level: 'warn', destination: process.stderr });
let cluster: Promise<EmbeddedPostgres> | undefined;
let kafka: Promise<KafkaBroker> | undefined;

const sockets = [
  listen('keeper.sock', async () => describe(await (cluster ??= startMigrated()))),
  listen('kafka.sock', async () => ({ address: (await (kafka ??= startSharedKafka())).address })),
];
process.stdin.resume().once('close', () => void cleanUp());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void cleanUp());

function listen<Server>(name: string, find: () => Promise<Server>): ReturnType<typeof createServer> {
  const socket = createServer((connection) => {
    connection.on('error', () => undefined); // whoever asked died meanwhile
    void find()
      .catch(refuse)
      .then((answer: KeeperAnswer<Server>) => connection.end(JSON.stringify(answer)));
  });
  return socket.listen(join(folder, name));
}

async function startMigrated(): Promise<EmbeddedPostgres> {
  const started = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log, isDurable: false });
  try {
    await migrate({ ownerUrl: started.ownerUrl, rolePasswords: started.rolePassword, log });
    return started;
  } catch (error) {
    await started.stop();
    throw error;
  }
}

async function startSharedKafka(): Promise<KafkaBroker> {
  const { startKafka } = await import('../kafka/start-kafka.ts'); // a run that needs none does not load its client
  return startKafka(folder);
}

function describe(started: EmbeddedPostgres): TestCluster {
  const roleUrls = Object.fromEntries(serviceRoles.map((role) => [role, started.urlFor(role)]));
  return { superuserUrl: started.urlFor('postgres'), ownerUrl: started.ownerUrl, roleUrls };
}

function refuse(error: unknown): { error: string } {
  return { error: error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error) };
}

async function cleanUp(): Promise<void> {
  for (const socket of sockets) socket.close();
  // a failed start was told to who asked
  await cluster?.then((started) => started.stop()).catch(() => undefined);
  await kafka?.then((started) => started.destroy()).catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}
