import { DatabaseSync } from 'node:sqlite';

import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { DataFolder } from './open-data-folder.ts';

export interface DataFolderLock {
  /** Safe to repeat. */
  release(): void;
}

/** Thrown by the second copy on one data folder. */
export class DataFolderInUseError extends EmbeddedPostgresError {}

/**
 * One Tollgate a data folder. Node has no file locks, but SQLite has: an exclusive transaction on an empty file is a
 * lock of the kernel's that dies with its process, however it dies, and that no child inherits. A file with a process
 * id in it would need a person after a kill -9 whose id was given out again.
 */
export function lockDataFolder(folder: DataFolder): DataFolderLock {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(folder.lockFile);
    database.exec('begin exclusive');
  } catch (error) {
    database?.close();
    throw refusal(folder, error);
  }
  const held = database;
  return {
    release() {
      if (held.isOpen) held.close();
    },
  };
}

function refusal(folder: DataFolder, error: unknown): Error {
  const sqliteBusy = 5;
  if (typeof error === 'object' && error !== null && 'errcode' in error && error.errcode === sqliteBusy) {
    return new DataFolderInUseError(
      `another Tollgate is using the data folder ${folder.path}; stop it first, or choose another folder with --data`,
      { cause: error },
    );
  }
  return new EmbeddedPostgresError(
    `the data folder ${folder.path} cannot be used: ${String(error)} (${folder.lockFile})`,
    { cause: error },
  );
}
