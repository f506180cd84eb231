import { accessSync, chmodSync, constants, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { canEnter, type ServerAccount } from './server-account.ts';

export interface DataFolder {
  readonly path: string;
  /** The database cluster; owned by the account that runs PostgreSQL. */
  readonly clusterDir: string;
  readonly lockFile: string;
  readonly secretFile: string;
  readonly logFile: string;
}

/** Makes the folder and its missing parents, and checks that the server's account can enter it. */
export function openDataFolder(path: string, account: ServerAccount | undefined): DataFolder {
  try {
    const firstMade = mkdirSync(path, { recursive: true });
    if (firstMade !== undefined) setModes(firstMade, path, account);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new EmbeddedPostgresError(`the data folder ${path} cannot be used: ${String(error)}`, { cause: error });
  }
  if (account && !canEnter(account, path)) openEmptyFolder(path);
  if (account && !canEnter(account, path)) {
    throw new EmbeddedPostgresError(
      `the data folder ${path} cannot be reached by the user that runs PostgreSQL (${account.name}); ` +
        'choose another with --data, or let others pass through its parents (chmod o+x)',
    );
  }
  return dataFolderAt(realpathSync(path));
}

/** A folder that somebody has just made for the data, as `mkdir` or `mktemp` do: nothing in it is shown to others. */
function openEmptyFolder(path: string): void {
  if (readdirSync(path).length === 0 && statSync(path).uid === process.getuid?.()) chmodSync(path, 0o711);
}

export function dataFolderAt(path: string): DataFolder {
  return {
    path,
    clusterDir: join(path, 'postgres'),
    lockFile: join(path, 'lock'),
    secretFile: join(path, 'secret'),
    logFile: join(path, 'postgres.log'),
  };
}

/** Sets the modes afterwards: under root's umask of 077 the server's account could not enter. */
function setModes(firstMade: string, path: string, account: ServerAccount | undefined): void {
  chmodSync(path, account ? 0o711 : 0o700);
  if (!account) return;
  for (let parent = dirname(path); parent.length >= firstMade.length; parent = dirname(parent))
    chmodSync(parent, 0o755);
}
