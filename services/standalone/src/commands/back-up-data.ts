import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import { backUp } from '@tollgate/database/embedded/back-up';
import { CommandError } from './command-error.ts';
import { dataFolderOf, serverUrlOf, withDatabase, type DatabaseChoice } from './open-database.ts';

/** `tollgate operator backup <folder>`, also while Tollgate runs. */
export async function backUpData(target: string, choice: DatabaseChoice): Promise<string> {
  if (serverUrlOf(choice) !== undefined)
    throw new CommandError('DATABASE_URL is a server: back it up by its own means, such as pg_basebackup or pg_dump');
  setPriority(constants.priority.PRIORITY_LOW); // copying takes a core, and requests come first
  const dataDir = dataFolderOf(choice);
  const { files, bytes, endedAt } = await withDatabase(choice, ({ urlFor }) =>
    backUp({ dataDir, superuserUrl: urlFor('postgres'), target: resolve(target) }),
  );
  const size = `${files} files, ${Math.ceil(bytes / 1_000_000)} MB`;
  return `${target} has all that was acknowledged before ${endedAt} (${size}). It holds secrets: keep it as safe as the data.
Restore it with \`tollgate operator restore ${target} --data <new folder>\`.`;
}
