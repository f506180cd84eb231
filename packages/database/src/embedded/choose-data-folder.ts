import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { canEnter, findServerAccount } from './server-account.ts';
import { sharedFolder } from './shared-folder.ts';

/**
 * Chooses the data folder: the folder that the caller names, else the default. The user that runs PostgreSQL may be
 * unable to reach the default, for example when root starts a clone under a 0700 home. Then a folder under
 * `sharedFolder` replaces it, the same at each start.
 */
export function chooseDataFolder(named: string | undefined, byDefault: string): string {
  if (named !== undefined) return resolve(named);
  const folder = resolve(byDefault);
  const account = findServerAccount(join(folder, 'postgres'));
  if (!account || canEnter(account, nearestExisting(folder))) return folder;
  return join(sharedFolder, createHash('sha256').update(folder).digest('hex').slice(0, 12));
}

function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(dirname(folder));
}
