import { existsSync } from 'node:fs';

import { chooseDataFolder } from '@tollgate/database/embedded/choose-data-folder';
import { findRunningPostgres } from '@tollgate/database/embedded/find-running-postgres';
import { DataFolderInUseError } from '@tollgate/database/embedded/lock-data-folder';
import { startEmbeddedPostgres } from '@tollgate/database/embedded/start-embedded-postgres';
import { migrate } from '@tollgate/database/migrate';
import type { Environment } from '@tollgate/runtime/config/load-config';
import type { Logger } from '@tollgate/runtime/logging/create-logger';

import { CommandError } from './command-error.ts';

export interface CommandDatabase {
  readonly ownerUrl: string;
  readonly urlFor: (role: string) => string;
  /** Whether another Tollgate uses the data folder. Undefined for a server: its Tollgate may be anywhere. */
  readonly isShared?: boolean;
}

export interface DatabaseChoice {
  readonly environment: Environment;
  /** `--data`. */
  readonly data: string | undefined;
  readonly log: Logger;
}

interface OpenedDatabase extends CommandDatabase {
  close(): Promise<void>;
}

/**
 * Runs a command's work on DATABASE_URL (its user must be the owner), or on the database of the data folder. If a Tollgate
 * runs on that folder, the command shares its PostgreSQL. Otherwise PostgreSQL is started and migrated for this command.
 */
export async function withDatabase<Result>(
  choice: DatabaseChoice,
  work: (database: CommandDatabase) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(choice);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** The data folder that the command works on, if it works on one. */
export function dataFolderOf({ environment, data }: DatabaseChoice): string {
  return chooseDataFolder(data ?? (environment['DATA_DIR'] || undefined), '.tollgate');
}

/** The address of the server that the command works on, unless `--data` overrides it. */
export function serverUrlOf({ environment, data }: DatabaseChoice): string | undefined {
  return data === undefined ? environment['DATABASE_URL'] || undefined : undefined;
}

async function openDatabase(choice: DatabaseChoice): Promise<OpenedDatabase> {
  const url = serverUrlOf(choice);
  if (url !== undefined) return { ownerUrl: url, urlFor: () => url, close: async () => undefined };
  const dataDir = dataFolderOf(choice);
  if (!existsSync(dataDir)) {
    throw new CommandError(
      `there is no data folder ${dataDir}; name it with --data, or give a server's database in DATABASE_URL`,
    );
  }
  return (await startForThisCommand(dataDir, choice)) ?? useRunning(dataDir);
}

async function startForThisCommand(
  dataDir: string,
  { environment, log }: DatabaseChoice,
): Promise<OpenedDatabase | undefined> {
  const acceptsNewer = environment['NEWER_DATABASE'] === 'accept';
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, log, programs: environment['POSTGRES_BIN'] || undefined });
    const { ownerUrl, rolePassword: rolePasswords } = postgres;
    await migrate({ ownerUrl, rolePasswords, acceptsNewer, log }).catch((error: unknown) =>
      postgres.stop().then(() => Promise.reject(error)),
    );
    return { ownerUrl: postgres.ownerUrl, urlFor: postgres.urlFor, isShared: false, close: postgres.stop };
  } catch (error) {
    if (error instanceof DataFolderInUseError) return undefined;
    throw error;
  }
}

function useRunning(dataDir: string): OpenedDatabase {
  const running = findRunningPostgres(dataDir);
  if (running)
    return { ownerUrl: running.ownerUrl, urlFor: running.urlFor, isShared: true, close: async () => undefined };
  throw new CommandError(`a Tollgate on ${dataDir} is starting or stopping; try again in a moment`);
}
