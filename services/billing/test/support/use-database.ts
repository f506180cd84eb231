import { afterAll, beforeAll } from '@jest/globals';
import { createDatabase, type Database, type DatabaseOptions } from '@tollgate/database/database';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { silentLog as log } from './silent-log.ts';

export interface DatabaseUnderTest {
  readonly database: TestDatabase;
  /** No row-level policy binds it. */
  readonly owner: Database;
  readonly worker: Database;
  readonly api: Database;
  /** Another handle of the worker; the caller stops it. */
  openWorker(options?: Partial<DatabaseOptions>): Database;
}

/** One migrated database for the tests of a file, with a connection for its owner and for each role of billing. */
export function useDatabase(): DatabaseUnderTest {
  const suite = {} as DatabaseUnderTest; // beforeAll completes it
  beforeAll(async () => {
    const database = await testDatabase();
    const open = (url: string, name: string, options: Partial<DatabaseOptions> = {}) =>
      createDatabase({ url, name, log, ...options });
    const workerUrl = database.urlFor('billing_worker');
    Object.assign(suite, {
      database,
      owner: open(database.ownerUrl, 'test-owner'),
      worker: open(workerUrl, 'test-worker', { isPipelined: true }),
      api: open(database.urlFor('billing_api'), 'test-api'),
      openWorker: (options?: Partial<DatabaseOptions>) =>
        open(workerUrl, 'test-worker-2', { isPipelined: true, ...options }),
    });
  });
  afterAll(async () => {
    for (const role of [suite.api, suite.worker, suite.owner]) await role.stop();
    await suite.database.drop();
  });
  return suite;
}
