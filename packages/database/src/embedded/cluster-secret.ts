import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { DataFolder } from './open-data-folder.ts';

/** The password of each role of one cluster, derived from the secret in its data folder. */
export type RolePassword = (role: string) => string;

/** Reads the data folder's secret, and creates it in a new folder. Only the user of this process may read the file. */
export function openClusterSecret(folder: DataFolder): RolePassword {
  if (!existsSync(folder.secretFile)) {
    if (existsSync(folder.clusterDir))
      throw new EmbeddedPostgresError(
        `${folder.secretFile} is gone: without it nobody can sign in to the database beside it`,
      );
    const partial = `${folder.secretFile}.partial`;
    writeFileSync(partial, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
    renameSync(partial, folder.secretFile); // so the file is whole or absent, whenever we are killed
  }
  return readClusterSecret(folder);
}

export function readClusterSecret(folder: DataFolder): RolePassword {
  const secret = readFileSync(folder.secretFile, 'utf8');
  return (role) => createHmac('sha256', secret).update(`postgres role ${role}`).digest('base64url');
}
