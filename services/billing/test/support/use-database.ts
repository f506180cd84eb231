import { afterAll, beforeAll } from '@jest/globals';
import { createDatabase, type Database } from '@tollgate/database/database';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';

export interface DatabaseUnderTest {
  readonly database: TestDatabase;
  /** No row-level policy binds it. */
  readonly owner: Database;
  readonly worker: Database;
  readonly api: Database;
}

/** One migrated database for the tests of a file, with a connection for its owner and for each role of billing. */
export function useDatabase(): DatabaseUnderTest {
  const suite = {} as DatabaseUnderTest; // beforeAll completes it
  beforeAll(async () => {
    const database = await testDatabase();
    const log = createLogger({ name: 'database-test', level: 'silent' });
    const open = (url: string, name: string) => createDatabase({ url, name, log });
    Object.assign(suite, {
      database,
      owner: open(database.ownerUrl, 'test-owner'),
      worker: open(database.urlFor('billing_worker'), 'test-worker'),
      api: open(database.urlFor('billing_api'), 'test-api'),
    });
  });
  afterAll(async () => {
    for (const role of [suite.api, suite.worker, suite.owner]) await role.stop();
    await suite.database.drop();
  });
  return suite;
}
