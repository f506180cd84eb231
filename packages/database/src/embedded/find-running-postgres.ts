import { existsSync, realpathSync } from 'node:fs';

import { readClusterSecret } from './cluster-secret.ts';
import { createConnectionUrls, type ConnectionUrls } from './connection-urls.ts';
import { dataFolderAt } from './open-data-folder.ts';
import { isServerOf, readPostmasterFile } from './postmaster-file.ts';

/** The URLs of the server that another process runs on this data folder; undefined if none is ready. */
export function findRunningPostgres(dataDir: string): ConnectionUrls | undefined {
  if (!existsSync(dataDir)) return undefined;
  const folder = dataFolderAt(realpathSync(dataDir)); // the path in the server's command line
  const file = readPostmasterFile(folder.clusterDir);
  if (!file?.isReady || file.port === undefined || !isServerOf(folder.clusterDir, file.pid)) return undefined;
  return createConnectionUrls(file.port, readClusterSecret(folder));
}
