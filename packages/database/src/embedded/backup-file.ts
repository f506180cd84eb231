import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** A backup's description of itself. It is written last, so a folder that has it is whole. */
export interface BackupFile {
  /** 2: there is a list of the files' hashes beside it. */
  readonly format: 1 | 2;
  /** ISO times by this machine's clock. Everything that was acknowledged before `endedAt` is in the backup. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly files: number;
  readonly bytes: number;
}

const fileName = 'backup.json';

export function writeBackupFile(folder: string, backup: BackupFile): void {
  writeFileSync(join(folder, fileName), `${JSON.stringify(backup, undefined, 2)}\n`, { mode: 0o600, flush: true });
}

export function readBackupFile(folder: string): BackupFile {
  let text: string;
  try {
    text = readFileSync(join(folder, fileName), 'utf8');
  } catch (error) {
    throw new EmbeddedPostgresError(
      `${folder} is no whole backup: it has no ${fileName}, which \`tollgate operator backup\` writes last`,
      { cause: error },
    );
  }
  const backup = JSON.parse(text) as BackupFile; // our own file; another format is refused
  if (backup.format === 1 || backup.format === 2) return backup;
  throw new EmbeddedPostgresError(`${folder} was made by a later release of Tollgate`);
}
