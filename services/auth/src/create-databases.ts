import { createDatabase, type Database } from '@tollgate/database/database';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Config } from './config.ts';

export interface Databases {
  /** Acts for one account at a time, under its row-level policies. */
  readonly api: Database;
  /** Acts where there is no account yet, or no single account: sign-in, signing keys, clean-up. */
  readonly worker: Database;
}

export function createDatabases(config: Config, log: Logger): Databases {
  return {
    api: createDatabase({ url: config.DATABASE_API_URL, name: 'auth-api', maxConnections: 10, log }),
    worker: createDatabase({ url: config.DATABASE_WORKER_URL, name: 'auth-worker', log }),
  };
}
