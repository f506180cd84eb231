import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import type { EmbeddedPostgres } from '@tollgate/database/embedded/start-embedded-postgres';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { serviceRoles } from '@tollgate/database/migrate';
import type { ContainerRequest } from '../containers/container-request.ts';
import type { ContainerKeeper } from '../containers/keep-containers.ts';
import type { KafkaBroker } from '../kafka/start-kafka.ts';
import { startMigratedPostgres } from '../start-migrated-postgres.ts';
import type { KeeperAnswer } from './keeper-answer.ts';

export interface TestCluster {
  readonly superuserUrl: string;
  readonly ownerUrl: string;
  readonly roleUrls: Readonly<Record<string, string>>;
}

export interface TestKafka {
  /** `host:port`. */
  readonly address: string;
}

/**
 * Keeps the servers of one jest run: PostgreSQL (migrated), Kafka and the containers of its tests. It starts each at the
 * first request and answers with the address. When its standard input closes, it stops them and removes every trace.
 * global-setup.ts starts it, on Node's own type stripping.
 */
const folder = process.argv[2] ?? '';
const log = createLogger({ name: 'test-cluster', level: 'warn', destination: process.stderr });
let cluster: Promise<EmbeddedPostgres> | undefined;
let kafka: Promise<KafkaBroker> | undefined;
let containers: Promise<ContainerKeeper> | undefined;

const sockets = [
  listen('keeper.sock', async () => describe(await (cluster ??= startMigratedPostgres(join(folder, 'data'), log)))),
  listen('kafka.sock', async () => ({ address: (await (kafka ??= startSharedKafka())).address })),
];
const containerSocket = listen('containers.sock', async (request: ContainerRequest) =>
  (await (containers ??= keep())).answer(request),
);
process.stdin.resume().once('close', () => void cleanUp());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void cleanUp());

function listen<Request, Answer>(name: string, find: (request: Request) => Promise<Answer>): Server {
  const socket = createServer({ allowHalfOpen: true }, (connection) => {
    connection.on('error', () => undefined); // the test died meanwhile
    void text(connection)
      .then((request) => find(JSON.parse(request) as Request)) // written by our own askTestServer
      .catch(refuse)
      .then((answer: KeeperAnswer<Answer>) => connection.end(JSON.stringify(answer)));
  });
  return socket.listen(join(folder, name));
}

async function startSharedKafka(): Promise<KafkaBroker> {
  const { startKafka } = await import('../kafka/start-kafka.ts'); // a run that needs none does not load its client
  return startKafka();
}

async function keep(): Promise<ContainerKeeper> {
  const { keepContainers } = await import('../containers/keep-containers.ts'); // as above
  return keepContainers();
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
  // the answer to its test has reported a failed start
  await cluster?.then((started) => started.stop()).catch(() => undefined);
  await kafka?.then((started) => started.destroy()).catch(() => undefined);
  containerSocket.close(); // only now: Kafka may be one of the containers
  await containers?.then((kept) => kept.removeAll()).catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}
