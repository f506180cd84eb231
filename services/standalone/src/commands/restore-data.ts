import { resolve } from 'node:path';

import { restoreBackup } from '@tollgate/database/embedded/restore-backup';

import { cleanUpRestored, type AfterRestoreOptions } from './clean-up-restored.ts';
import { CommandError } from './command-error.ts';
import { dataFolderOf, serverUrlOf, type DatabaseChoice } from './open-database.ts';

/** `tollgate operator restore <folder>`: into the data folder, which must have no data. Then sessions end, as after every restore. */
export async function restoreData(
  backupDir: string,
  options: AfterRestoreOptions,
  choice: DatabaseChoice,
): Promise<string> {
  if (serverUrlOf(choice) !== undefined)
    throw new CommandError(
      'DATABASE_URL is a server: restore it by its own means, then run `tollgate operator after-restore`',
    );
  const dataDir = dataFolderOf(choice);
  const { endedAt } = restoreBackup(resolve(backupDir), dataDir);
  return `${dataDir} has the data as of ${endedAt}.\n${await cleanUpRestored(options, choice)}`;
}
