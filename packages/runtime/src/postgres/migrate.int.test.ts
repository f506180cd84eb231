import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { emptyTestDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import pg from 'pg';
import { createLogger } from '../logging/create-logger.ts';
import { migrate, serviceRoles } from './migrate.ts';

const log = createLogger({ name: 'test', level: 'silent' });
let test: TestDatabase;
let owner: pg.Client;
beforeEach(async () => {
  test = await emptyTestDatabase();
  owner = new pg.Client({ connectionString: test.ownerUrl });
  await owner.connect();
});
afterEach(async () => {
  await owner.end();
  await test.drop();
});

/** The roles are the whole cluster's: every run sets the passwords that they have. */
const run = () =>
  migrate({ ownerUrl: test.ownerUrl, rolePasswords: (role) => new URL(test.urlFor(role)).password, log });

describe('migrate', () => {
  it('brings an empty database up, once, when two processes start together', async () => {
    const both = await Promise.all([run(), run()]);
    const applied = both.map((result) => result.applied.length).toSorted((a, b) => a - b);
    expect(applied[0]).toBe(0);
    expect(applied[1]).toBeGreaterThan(4);
    expect(await run()).toEqual({ applied: [] });
  });

  it('refuses a file that was changed after it had been applied, and changes nothing', async () => {
    await run();
    await owner.query("update migration.file_hash set sha256 = 'of other text' where name = '0004_event_log.sql'");
    await expect(run()).rejects.toThrow('0004_event_log.sql was changed after it had been applied');
  });

  it('refuses a database that a newer version has migrated', async () => {
    await run();
    await owner.query("insert into migration.file_hash values ('9999_from_the_future.sql', 'x')");
    await expect(run()).rejects.toThrow('9999_from_the_future.sql, which this version does not know');
  });

  it('gives services roles that cannot change tables or make any', async () => {
    await run();
    for (const role of serviceRoles) {
      const service = new pg.Client({ connectionString: test.urlFor(role) });
      await service.connect();
      for (const statement of ['create table public.mine ()', 'drop table usage.rollup', 'truncate usage.event']) {
        await expect(service.query(statement)).rejects.toMatchObject({ code: '42501' }); // insufficient_privilege
      }
      await service.end();
    }
  });
});
