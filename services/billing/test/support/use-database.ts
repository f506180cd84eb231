import { afterAll, beforeAll } from '@jest/globals';
import { createDatabase, type Database, type DatabaseOptions } from '@tollgate/database/database';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { silentLog as log } from './silent-log.ts';

export interface DatabaseUnderTest {
  /** No row-level policy binds it. */
  readonly owner: Database;
  readonly api: Database;
  readonly worker: Database;
  /** Another handle of the worker; the caller stops it. */
  openWorker(options?: Partial<DatabaseOptions>): Database;
}

/** One database for all tests of a file: made before them and dropped after them. */
export function useDatabase(): DatabaseUnderTest {
  let testing: TestDatabase | undefined;
  let handles: Pick<DatabaseUnderTest, 'owner' | 'api' | 'worker'> | undefined;
  const open = (url = '', options: Partial<DatabaseOptions> = {}) =>
    createDatabase({ url, name: 'billing-test', log, ...options });
  beforeAll(async () => {
    testing = await testDatabase();
    const [api, worker] = [testing.urlFor('billing_api'), testing.urlFor('billing_worker')];
    handles = { owner: open(testing.ownerUrl), api: open(api), worker: open(worker) };
  });
  afterAll(async () => {
    await Promise.all(Object.values(handles ?? {}).map((handle) => handle.stop()));
    await testing?.drop();
  });
  const made = () => {
    if (handles === undefined)
      throw new Error('the database is made before the first test, not while the file is read');
    return handles;
  };
  return {
    get owner() {
      return made().owner;
    },
    get api() {
      return made().api;
    },
    get worker() {
      return made().worker;
    },
    openWorker: (options) => open(testing?.urlFor('billing_worker'), options),
  };
}
