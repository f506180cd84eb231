import { closeSync, existsSync, openSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { DataFolder } from './open-data-folder.ts';

/** PostgreSQL's DBState of a cluster that was stopped in an orderly way. */
const shutDown = 1;
const stateOffset = 16; // in pg_control: behind the system identifier and two versions

/**
 * Refuses a folder that was copied while Tollgate ran on it. Its files are of different moments, and PostgreSQL would
 * take it for a crashed server and go on with what is there, with silent gaps. The kernel alone sets the time of a file's
 * last change, so a copy has another time than the one that its original noted. A folder that was moved keeps it, and so
 * does a snapshot of a whole disk, which has one moment. A stopped folder may be copied in any way.
 */
export function refuseHotCopy(folder: DataFolder): void {
  const noted = readNote(folder);
  if (noted === undefined || noted === changedAt(folder) || isStopped(folder)) return;
  throw new EmbeddedPostgresError(
    `the data folder ${folder.path} is a copy that was made while Tollgate ran: its files are of different moments. ` +
      'Restore a backup with `tollgate operator restore`, or stop Tollgate and copy the folder again. ' +
      `If it is a snapshot of one moment all the same, remove ${noteFile(folder)}`,
  );
}

/** Notes that this folder is no copy. */
export function noteAsOriginal(folder: DataFolder): void {
  writeFileSync(noteFile(folder), changedAt(folder), { mode: 0o600, flush: true });
}

/** The file whose time is compared: it is written once, in a new folder. */
function changedAt({ secretFile }: DataFolder): string {
  return String(Math.floor(statSync(secretFile).ctimeMs));
}

function noteFile({ path }: DataFolder): string {
  return join(path, 'original');
}

/** Undefined in a new folder. */
function readNote(folder: DataFolder): string | undefined {
  return existsSync(noteFile(folder)) ? readFileSync(noteFile(folder), 'utf8') : undefined;
}

function isStopped({ clusterDir }: DataFolder): boolean {
  if (!existsSync(clusterDir)) return true;
  if (existsSync(join(clusterDir, 'postmaster.pid'))) return false;
  const file = openSync(join(clusterDir, 'global', 'pg_control'), 'r');
  try {
    const state = Buffer.alloc(4);
    readSync(file, state, 0, 4, stateOffset);
    return state.readInt32LE() === shutDown; // the platforms that have an embedded PostgreSQL are all little-endian
  } finally {
    closeSync(file);
  }
}
