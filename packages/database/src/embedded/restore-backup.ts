import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { readBackupFile, type BackupFile } from './backup-file.ts';
import { refuseDamagedBackup } from './backup-sums.ts';
import { copyFolder, sync } from './copy-folder.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { lockDataFolder } from './lock-data-folder.ts';
import { dataFolderAt, openDataFolder } from './open-data-folder.ts';
import { noteAsOriginal } from './refuse-hot-copy.ts';
import { findServerAccount } from './server-account.ts';

/**
 * Copies a backup into a new data folder. PostgreSQL replays the backup's log at the next start. The cluster appears last
 * and whole, so after a kill the same command begins anew.
 */
export function restoreBackup(backupDir: string, dataDir: string): BackupFile {
  const backup = readBackupFile(backupDir);
  if (backup.format === 2) refuseDamagedBackup(backupDir);
  const account = findServerAccount(dataFolderAt(resolve(dataDir)).clusterDir);
  const folder = openDataFolder(resolve(dataDir), account);
  const lock = lockDataFolder(folder);
  try {
    if (existsSync(folder.clusterDir)) throw hasData(folder.path);
    const partial = `${folder.clusterDir}.partial`;
    rmSync(partial, { recursive: true, force: true });
    const besides = copyFolder(backupDir, folder.path, { leavesOut: (name) => !name.endsWith('secret') });
    const cluster = copyFolder(join(backupDir, 'postgres'), partial, { owner: account });
    // The label of the backup is a file that was written after its counting.
    if (cluster.files - 1 + besides.files !== backup.files) throw isNotWhole(backupDir, backup);
    renameSync(partial, folder.clusterDir);
    noteAsOriginal(folder);
    sync(folder.path);
    return backup;
  } finally {
    lock.release();
  }
}

function hasData(path: string): EmbeddedPostgresError {
  const entries = readdirSync(path).length;
  return new EmbeddedPostgresError(
    `${path} has data already (${entries} entries): restore into a new folder with --data, or move this one away first`,
  );
}

function isNotWhole(backupDir: string, { files }: BackupFile): EmbeddedPostgresError {
  return new EmbeddedPostgresError(`${backupDir} lacks files: it should have ${files}; copy the backup here again`);
}
