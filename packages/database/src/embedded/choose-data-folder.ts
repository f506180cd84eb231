import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { canEnter, findServerAccount } from './server-account.ts';
import { sharedFolder } from './shared-folder.ts';

/**
 * Where the data lies: the folder that was asked for, else the default. A default that the user who runs PostgreSQL
 * cannot reach (root, in a clone under a 0700 home) moves to a folder of this default's own under `sharedFolder`,
 * the same one at each start.
 */
export function chooseDataFolder(asked: string | undefined, byDefault: string): string {
  if (asked !== undefined) return resolve(asked);
  const folder = resolve(byDefault);
  const account = findServerAccount(join(folder, 'postgres'));
  if (!account || canEnter(account, nearestExisting(folder))) return folder;
  return join(sharedFolder, createHash('sha256').update(folder).digest('hex').slice(0, 12));
}

function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(dirname(folder));
}
