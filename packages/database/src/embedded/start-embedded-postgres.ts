import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { openClusterSecret } from './cluster-secret.ts';
import { createConnectionUrls, ownerRole, type ConnectionUrls, databaseName } from './connection-urls.ts';
import { initCluster, type ClusterPlan } from './init-cluster.ts';
import { lockDataFolder } from './lock-data-folder.ts';
import { dataFolderAt, openDataFolder } from './open-data-folder.ts';
import { noteAsOriginal, refuseHotCopy } from './refuse-hot-copy.ts';
import { findServerAccount } from './server-account.ts';
import { findServerPrograms } from './server-programs.ts';
import { startServer, type ServerStart } from './start-server.ts';
import { stopLeftover } from './stop-leftover.ts';
import { Client } from 'pg';

export interface EmbeddedPostgresOptions extends ServerStart {
  readonly dataDir: string;
  readonly log: Logger;
  /** False only for clusters of tests. */
  readonly isDurable?: boolean;
  /** The folder of the server's programs, in place of the embedded ones: POSTGRES_BIN. */
  readonly programs?: string | undefined;
  /** Other embedded binaries than the installed package's, for tests. */
  readonly binaries?: string;
}

export interface EmbeddedPostgres extends ConnectionUrls {
  readonly port: number;
  readonly pid: number;
  readonly logFile: string;
  /** Its version, and where its programs come from; for people. */
  readonly server: string;
  /** Resolves when the server has ended, also unexpectedly: then the process must not go on without it. */
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Runs PostgreSQL as a child process on 127.0.0.1, with its data in a folder that one Tollgate at a time may use. First it
 * cleans up after a killed predecessor. It throws `EmbeddedPostgresError` for a problem that a person must repair.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const account = findServerAccount(dataFolderAt(resolve(options.dataDir)).clusterDir);
  // First: where they are missing, nothing is created.
  const programs = findServerPrograms({ named: options.programs, native: options.binaries }, account);
  const folder = openDataFolder(resolve(options.dataDir), account);
  const lock = lockDataFolder(folder);
  try {
    refuseHotCopy(folder);
    const rolePassword = openClusterSecret(folder);
    noteAsOriginal(folder);
    const plan = { folder, account, programs, rolePassword, isDurable: options.isDurable ?? true };
    const postgres = await startCluster(plan, options);
    return {
      ...postgres,
      server: programs.description,
      logFile: folder.logFile,
      stop: () => postgres.stop().finally(() => lock.release()),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function startCluster(
  plan: ClusterPlan,
  options: EmbeddedPostgresOptions,
): Promise<Omit<EmbeddedPostgres, 'logFile' | 'server'>> {
  await stopLeftover(plan.folder.clusterDir, options.log);
  await initCluster(plan);
  const server = await startServer(plan, options);
  const urls = createConnectionUrls(server.port, plan.rolePassword);
  try {
    await ensureOwner(urls.urlFor('postgres'), urls.rolePassword(ownerRole));
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { ...urls, ...server };
}

/** Makes the migrator's role and its database. Safe to repeat, also after a kill between the two. */
async function ensureOwner(superuserUrl: string, ownerPassword: string): Promise<void> {
  const url = new URL(superuserUrl);
  url.pathname = '/postgres'; // the only database of a new cluster
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    const { rowCount: roles } = await client.query('select from pg_roles where rolname = $1', [ownerRole]);
    // DDL takes no parameters. We made the password, in base64url: it has nothing to escape.
    if (!roles) await client.query(`create role ${ownerRole} login createrole nosuperuser password '${ownerPassword}'`);
    const { rowCount: databases } = await client.query('select from pg_database where datname = $1', [databaseName]);
    if (!databases) await client.query(`create database ${databaseName} owner ${ownerRole}`);
  } finally {
    await client.end();
  }
}
