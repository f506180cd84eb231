import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { DataFolder } from './open-data-folder.ts';

export interface DataFolderLock {
  /** Safe to repeat. */
  release(): void;
}

/** Another Tollgate uses the data folder. */
export class DataFolderInUseError extends EmbeddedPostgresError {
  constructor(path: string, options?: ErrorOptions) {
    super(
      `another Tollgate is using the data folder ${path}; stop it first, or choose another folder with --data`,
      options,
    );
  }
}

/**
 * Lets one Tollgate at a time use a data folder. Node has no file locks, but SQLite has. An exclusive transaction on an
 * empty file is a lock of the kernel. It ends with its process, even by a kill, and no child inherits it. A file with a
 * process id would need repair by hand when a later process gets the same id.
 */
export function lockDataFolder(folder: DataFolder): DataFolderLock {
  let database: DatabaseSync | undefined;
  try {
    closeSync(openSync(folder.lockFile, 'a', 0o600));
    chmodSync(folder.lockFile, 0o600); // a user who can open the file can hold the lock
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
    return new DataFolderInUseError(folder.path, { cause: error });
  }
  return new EmbeddedPostgresError(
    `the data folder ${folder.path} cannot be used: ${String(error)} (${folder.lockFile})`,
    { cause: error },
  );
}
