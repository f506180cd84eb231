import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '@tollgate/runtime/embedded-postgres/start-embedded-postgres';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { migrate, serviceRoles } from '@tollgate/runtime/postgres/migrate';

export interface TestCluster {
  readonly superuserUrl: string;
  readonly ownerUrl: string;
  readonly roleUrls: Readonly<Record<string, string>>;
}

/** The one answer of the keeper's socket: how to reach the migrated cluster, or why there is none. */
export type KeeperAnswer = TestCluster | { readonly error: string };

/**
 * Keeps the PostgreSQL of one jest run: starts and migrates it when first asked, answers where it is, and when its
 * standard input closes stops it and removes every trace. Started by global-setup.ts, on Node's own type stripping.
 */
const folder = process.argv[2] ?? '';
const log = createLogger({ name: 'test-cluster', level: 'warn', destination: process.stderr });
let cluster: Promise<EmbeddedPostgres> | undefined;

const socket = createServer((connection) => {
  connection.on('error', () => undefined); // whoever asked died meanwhile
  cluster ??= startMigrated();
  void cluster.then(describe, refuse).then((answer) => connection.end(JSON.stringify(answer)));
});
socket.listen(join(folder, 'keeper.sock'));
process.stdin.resume().once('close', () => void cleanUp());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void cleanUp());

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

function describe(started: EmbeddedPostgres): KeeperAnswer {
  const roleUrls = Object.fromEntries(serviceRoles.map((role) => [role, started.urlFor(role)]));
  return { superuserUrl: started.urlFor('postgres'), ownerUrl: started.ownerUrl, roleUrls };
}

function refuse(error: unknown): KeeperAnswer {
  return { error: error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error) };
}

async function cleanUp(): Promise<void> {
  socket.close();
  await cluster?.then((started) => started.stop()).catch(() => undefined); // a failed start was told to who asked
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}
