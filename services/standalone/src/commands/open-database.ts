import { existsSync } from 'node:fs';

import type { Environment } from '@tollgate/runtime/config/load-config';
import { chooseDataFolder } from '@tollgate/database/embedded/choose-data-folder';
import { findRunningPostgres } from '@tollgate/database/embedded/find-running-postgres';
import { DataFolderInUseError } from '@tollgate/database/embedded/lock-data-folder';
import { startEmbeddedPostgres } from '@tollgate/database/embedded/start-embedded-postgres';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { migrate } from '@tollgate/database/migrate';

import { CommandError } from './command-error.ts';

/** The database that a command works on. */
export interface CommandDatabase {
  readonly ownerUrl: string;
  urlFor(role: string): string;
  close(): Promise<void>;
}

export interface DatabaseChoice {
  readonly environment: Environment;
  /** `--data`. */
  readonly data: string | undefined;
  readonly log: Logger;
}

/**
 * DATABASE_URL if there is one, which must be the owner's; else the database of the data folder: that of the running
 * Tollgate, or, when none runs, started for this command alone and brought up to date.
 */
export async function openDatabase({ environment, data, log }: DatabaseChoice): Promise<CommandDatabase> {
  const url = environment['DATABASE_URL'];
  if (url && data === undefined) return { ownerUrl: url, urlFor: () => url, close: async () => undefined };
  const dataDir = chooseDataFolder(data ?? (environment['DATA_DIR'] || undefined), '.tollgate');
  if (!existsSync(dataDir)) {
    throw new CommandError(
      `there is no data folder ${dataDir}; name it with --data, or a server's database in DATABASE_URL`,
    );
  }
  return (await startForThisCommand(dataDir, log)) ?? useRunning(dataDir);
}

async function startForThisCommand(dataDir: string, log: Logger): Promise<CommandDatabase | undefined> {
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, log });
    await migrate({ ownerUrl: postgres.ownerUrl, rolePasswords: postgres.rolePassword, log }).catch((error: unknown) =>
      postgres.stop().then(() => Promise.reject(error)),
    );
    return { ownerUrl: postgres.ownerUrl, urlFor: postgres.urlFor, close: postgres.stop };
  } catch (error) {
    if (error instanceof DataFolderInUseError) return undefined;
    throw error;
  }
}

function useRunning(dataDir: string): CommandDatabase {
  const running = findRunningPostgres(dataDir);
  if (running) return { ownerUrl: running.ownerUrl, urlFor: running.urlFor, close: async () => undefined };
  throw new CommandError(`a Tollgate on ${dataDir} is starting or stopping; try again in a moment`);
}
