import { afterAll, beforeAll } from '@jest/globals';
import { createDatabase, type Database, type DatabaseOptions } from '@tollgate/database/database';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { silentLog as log } from './silent-log.ts';

export interface DatabaseUnderTest {
  readonly database: TestDatabase;
  /** No row-level policy binds it. */
  readonly owner: Database;
  readonly api: Database;
  readonly worker: Database;
  /** Another handle of the worker; the caller stops it. */
  openWorker(options?: Partial<DatabaseOptions>): Database;
}

/** One database for all tests of a file: created before them and dropped after them. */
export function useDatabase(): DatabaseUnderTest {
  const suite = {} as DatabaseUnderTest; // beforeAll completes it
  const open = (url: string, options: Partial<DatabaseOptions> = {}) =>
    createDatabase({ url, name: 'billing-test', log, ...options });
  beforeAll(async () => {
    const database = await testDatabase();
    const [api, worker] = [database.urlFor('billing_api'), database.urlFor('billing_worker')];
    const handles = { owner: open(database.ownerUrl), api: open(api), worker: open(worker) };
    const openWorker = (options?: Partial<DatabaseOptions>) => open(worker, options);
    Object.assign(suite, { database, openWorker, ...handles });
  });
  afterAll(async () => {
    await Promise.all([suite.owner, suite.api, suite.worker].map((handle) => handle.stop()));
    await suite.database.drop();
  });
  return suite;
}
