/**
 * A backup of a data folder while Tollgate runs on it, as PostgreSQL's manual describes (26.3.4, low-level base backup):
 *
 *   slot: keeps the log ──▶ pg_backup_start ──▶ copy of the files, as they change ──▶ pg_backup_stop ──▶ copy of the log
 *
 * The copied files are of different moments. The log from the start to the stop repairs them: PostgreSQL replays it when
 * the copy is started for the first time, and stands at the stop then. `backup_label` tells it where to begin.
 */
import { mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { systemClock, toIso } from '@tollgate/kernel/clock';
import pg from 'pg';

import { sqlStateOf } from '../pg-error.ts';
import { writeBackupFile, type BackupFile } from './backup-file.ts';
import { writeBackupSums } from './backup-sums.ts';
import { copyFolder, sync, type Copied } from './copy-folder.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { dataFolderAt, type DataFolder } from './open-data-folder.ts';

export interface BackUpOptions {
  readonly dataDir: string;
  /** The running server, as a superuser. */
  readonly superuserUrl: string;
  /** A folder that is missing or empty. */
  readonly target: string;
}

/** Their content belongs to the running server alone (pg_basebackup leaves out the same). Empty folders are needed. */
const emptied = ['pg_dynshmem', 'pg_notify', 'pg_replslot', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'];
const leftOut = new Set(['postmaster.pid', 'postmaster.opts', 'backup_label', 'tablespace_map']);
const walFile = /^[0-9A-F]{24}$/;
const notReadyToBackUp = '55000';

/** Resolves when the backup is whole and durable. Everything that was acknowledged before `endedAt` is in it. */
export async function backUp({ dataDir, superuserUrl, target }: BackUpOptions): Promise<BackupFile> {
  const folder = dataFolderAt(realpathSync(dataDir));
  prepareTarget(folder, target);
  const client = new pg.Client({ connectionString: superuserUrl, application_name: 'backup' });
  client.on('error', () => undefined); // if the connection is lost between two statements, the next statement fails
  await client.connect();
  try {
    return await copyWhileRunning(client, folder, target);
  } finally {
    await client.end(); // which drops the slot, and ends a backup that has failed
  }
}

function prepareTarget(folder: DataFolder, target: string): void {
  mkdirSync(target, { recursive: true, mode: 0o700 });
  const path = realpathSync(target);
  if (readdirSync(path).length > 0) throw new EmbeddedPostgresError(`${target} is not empty: name a new folder`);
  if (!relative(folder.path, path).startsWith('..'))
    throw new EmbeddedPostgresError(`${target} is in the data folder itself: name a folder outside, on another disk`);
}

async function copyWhileRunning(client: pg.Client, folder: DataFolder, target: string): Promise<BackupFile> {
  const startedAt = toIso(systemClock.now());
  const first = await start(client);
  const cluster = join(target, 'postgres');
  const copied = copyFolder(folder.clusterDir, cluster, { leavesOut: isLeftOut });
  for (const name of [...emptied, 'pg_wal', 'pg_wal/archive_status'])
    mkdirSync(join(cluster, name), { recursive: true });
  const { label, last } = await stop(client);
  const endedAt = toIso(systemClock.now());
  writeFileSync(join(cluster, 'backup_label'), label, { mode: 0o600, flush: true });
  const log = copyFolder(join(folder.clusterDir, 'pg_wal'), join(cluster, 'pg_wal'), {
    leavesOut: (name) => !walFile.test(name) || name < first || name > last,
  });
  const besides = copyFolder(folder.path, target, { leavesOut: (name) => !name.endsWith('secret') });
  sync(cluster);
  writeBackupSums(target);
  const backup = { format: 2, startedAt, endedAt, ...sumOf([copied, log, besides]) } as const;
  writeBackupFile(target, backup);
  sync(target);
  return backup;
}

/** Returns the name of the first file of the log that the backup needs. The slot keeps it and its successors. */
async function start(client: pg.Client): Promise<string> {
  try {
    await client.query(
      `select pg_create_physical_replication_slot('tollgate_backup_' || pg_backend_pid(), true, true)`,
    );
    const { rows } = await client.query<{ first: string }>(
      `select pg_walfile_name(pg_backup_start('tollgate backup', true)) as first`,
    );
    return rows[0]?.first ?? '';
  } catch (error) {
    if (sqlStateOf(error) !== notReadyToBackUp) throw error;
    throw new EmbeddedPostgresError('the running Tollgate was started by an earlier release; restart it once', {
      cause: error,
    });
  }
}

async function stop(client: pg.Client): Promise<{ label: string; last: string }> {
  const { rows } = await client.query<{ label: string; last: string }>(
    `select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(false)`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('pg_backup_stop answered nothing');
  return row;
}

function isLeftOut(path: string): boolean {
  const [top = '', below] = path.split('/');
  if (leftOut.has(top)) return true;
  if (below === undefined) return false;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    top === 'pg_wal' || emptied.includes(top) || name.startsWith('pgsql_tmp') || name.startsWith('pg_internal.init')
  );
}

function sumOf(copies: readonly Copied[]): Copied {
  const sum = (of: (copy: Copied) => number) => copies.reduce((total, copy) => total + of(copy), 0);
  return { files: sum(({ files }) => files), bytes: sum(({ bytes }) => bytes) };
}
