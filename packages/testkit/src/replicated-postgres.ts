import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readClusterSecret } from '@tollgate/database/embedded/cluster-secret';
import { createConnectionUrls, type ConnectionUrls } from '@tollgate/database/embedded/connection-urls';
import { dataFolderAt } from '@tollgate/database/embedded/open-data-folder';
import { readPostmasterFile } from '@tollgate/database/embedded/postmaster-file';
import { findServerAccount } from '@tollgate/database/embedded/server-account';
import { locateServerBinaries, reachableBinaries } from '@tollgate/database/embedded/server-binaries';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { eventually } from './eventually.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { findFreePorts } from './find-free-ports.ts';
import { startKeeper } from './keeper.ts';
import { withOracleDatabase } from './oracles/oracle-database.ts';
import { startMigratedPostgres } from './start-migrated-postgres.ts';

/** The addresses lead to the current primary. */
export interface ReplicatedPostgres extends ConnectionUrls {
  /** Waits until the standby has everything, then cuts it off. The primary goes on without it. */
  cutReplication(): Promise<void>;
  /**
   * Kills the primary, promotes the standby and gives it the primary's address. Commits that the standby lacks are lost.
   * `look` gets the standby's own address before that.
   */
  failOver(look: (ownerUrl: string) => Promise<void>): Promise<void>;
  destroy(): Promise<void>;
}

const log = createLogger({ name: 'replicated-postgres', level: 'silent' });
const startWithinMs = 60_000;

/** Starts a migrated PostgreSQL with an asynchronous standby. Their data is below `folder`. */
export async function startReplicatedPostgres(folder: string): Promise<ReplicatedPostgres> {
  const [primaryDir, standbyDir] = [join(folder, 'primary'), join(folder, 'standby')];
  await (await startMigratedPostgres(primaryDir, log)).stop();
  const [primaryPort = 0, standbyPort = 0] = await findFreePorts(2);
  const link = await startFaultProxy({ port: primaryPort });
  const secret = readClusterSecret(dataFolderAt(primaryDir));
  const urls = createConnectionUrls(primaryPort, secret);
  const superuserUrl = urls.urlFor('postgres');
  const keepers = [primaryDir, standbyDir].map((dataDir) => startKeeper({ dataDir }));

  async function destroy(): Promise<void> {
    await link.close();
    await Promise.all(keepers.map((keeper) => keeper.end()));
    for (const dir of [primaryDir, standbyDir]) rmSync(dir, { recursive: true, force: true });
  }

  try {
    await startServer(primaryDir, primaryPort);
    await copyCluster(superuserUrl, primaryDir, standbyDir);
    const standbyCluster = dataFolderAt(standbyDir).clusterDir;
    writeFor(standbyCluster, 'standby.signal', '');
    const from = `host=127.0.0.1 port=${link.port} user=postgres password=${urls.rolePassword('postgres')}`;
    await startServer(standbyDir, standbyPort, { primary_conninfo: from, wal_retrieve_retry_interval: '100ms' });
    await untilReplicated(superuserUrl);
  } catch (error) {
    await destroy();
    throw error;
  }
  return {
    ...urls,
    async cutReplication() {
      await untilReplicated(superuserUrl);
      link.cut();
    },
    async failOver(look) {
      await endServer(primaryDir, 'SIGQUIT'); // immediate: it writes nothing and closes no connection properly
      const standbyUrls = createConnectionUrls(standbyPort, secret);
      await query(standbyUrls.urlFor('postgres'), 'select pg_promote()');
      await look(standbyUrls.ownerUrl);
      await endServer(standbyDir, 'SIGINT');
      await startServer(standbyDir, primaryPort);
    },
    destroy,
  };
}

/** Starts a server that can have standbys, which the embedded one cannot. */
async function startServer(dataDir: string, port: number, settings: Record<string, string> = {}): Promise<void> {
  const { clusterDir, logFile } = dataFolderAt(dataDir);
  const account = findServerAccount(clusterDir);
  const given = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    wal_level: 'replica',
    wal_keep_size: '1GB', // covers the time until the standby connects
    max_connections: '200',
    fsync: 'off', // the machine does not crash here
    timezone: 'UTC',
    ...settings,
  };
  const flags = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const output = openSync(logFile, 'a', 0o600);
  const server = spawn(
    join(reachableBinaries(locateServerBinaries(), account), 'bin', 'postgres'),
    ['-D', clusterDir, ...flags],
    {
      ...(account && { uid: account.uid, gid: account.gid }),
      cwd: '/',
      detached: true,
      stdio: ['ignore', output, output],
      env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    },
  );
  closeSync(output);
  server.unref(); // its keeper ends it
  const ended = once(server, 'exit').then(() => {
    throw new Error(`PostgreSQL ended; its output:\n${readFileSync(logFile, 'utf8').slice(-2_000)}`);
  });
  const isReady = () => readPostmasterFile(clusterDir)?.isReady;
  await Promise.race([ended, eventually(isReady, { withinMs: startWithinMs })]);
  ended.catch(() => undefined); // later it ends on purpose
}

/** Copies the files with a backup label. PostgreSQL allows this; `pg_basebackup` is not part of the embedded server. */
async function copyCluster(superuserUrl: string, fromDir: string, toDir: string): Promise<void> {
  const [from, to] = [dataFolderAt(fromDir).clusterDir, dataFolderAt(toDir).clusterDir];
  mkdirSync(toDir, { mode: 0o711 });
  await withOracleDatabase(superuserUrl, async (database) => {
    await database.query("select pg_backup_start('standby', true)");
    await promisify(execFile)('cp', ['-a', from, to]);
    const { rows } = await database.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    rmSync(join(to, 'postmaster.pid'));
    writeFor(to, 'backup_label', rows[0]?.labelfile ?? '');
  });
}

/** Writes a file that belongs to the server's account. */
function writeFor(clusterDir: string, name: string, text: string): void {
  const file = join(clusterDir, name);
  writeFileSync(file, text, { mode: 0o600 });
  const account = findServerAccount(clusterDir);
  if (account) chownSync(file, account.uid, account.gid);
}

const caughtUp = `select from pg_stat_replication where state = 'streaming' and replay_lsn >= $1::pg_lsn`;

async function untilReplicated(superuserUrl: string): Promise<void> {
  const [now] = await query<{ lsn: string }>(superuserUrl, 'select pg_current_wal_lsn() as lsn');
  const isThere = async () => (await query(superuserUrl, caughtUp, [now?.lsn])).length > 0;
  await eventually(isThere, { withinMs: startWithinMs, everyMs: 50 });
}

async function query<Row extends object>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  return withOracleDatabase(url, async (database) => (await database.query<Row>(text, values)).rows);
}

async function endServer(dataDir: string, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  const { clusterDir } = dataFolderAt(dataDir);
  process.kill(readPostmasterFile(clusterDir)?.pid ?? 0, signal);
  await eventually(() => readPostmasterFile(clusterDir) === undefined, { withinMs: startWithinMs });
}
