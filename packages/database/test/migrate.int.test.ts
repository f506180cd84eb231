import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { connectOracleDatabase, type OracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { emptyTestDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase } from '../src/database.ts';
import { migrate, serviceRoles } from '../src/migrate.ts';

const log = createLogger({ name: 'test', level: 'silent' });
let test: TestDatabase;
let owner: OracleDatabase;
beforeEach(async () => {
  test = await emptyTestDatabase();
  owner = await connectOracleDatabase(test.ownerUrl);
});
afterEach(async () => {
  await owner.end();
  await test.drop();
});

/** Roles belong to the whole cluster, so every run sets the passwords that they have. */
const run = (options: { folder?: string; acceptsNewer?: boolean } = {}) =>
  migrate({ ownerUrl: test.ownerUrl, rolePasswords: (role) => new URL(test.urlFor(role)).password, log, ...options });

const release = fileURLToPath(new URL('../migrations', import.meta.url));

/** Copies the folder of the release, and adds files to the copy. */
async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-migrations-'));
  await cp(release, folder, { recursive: true });
  for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, `${name}.sql`), sql);
  return folder;
}

const waiting = `select from pg_stat_activity
  where datname = current_database() and application_name = 'migrate' and wait_event_type = 'Lock'`;
const isWaiting = async () => (await owner.query(waiting)).rowCount === 1;

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
    await owner.query("update migration.file_hash set sha256 = 'of other text' where name = '0005_event_log.sql'");
    await expect(run()).rejects.toThrow('0005_event_log.sql was changed after it had been applied');
  });

  it('refuses a database that a newer version has migrated', async () => {
    await run();
    await owner.query("insert into migration.file_hash values ('9999_from_the_future.sql', 'x')");
    await expect(run()).rejects.toThrow('9999_from_the_future.sql, which this version does not know');
  });

  it('takes such a database as it is, where the operator goes back to the version before', async () => {
    await run();
    const folder = await folderWith({ '9999_from_the_future': 'alter table usage.cursor add future text' });
    expect(await run({ folder })).toEqual({ applied: ['9999_from_the_future'] });
    expect(await run({ acceptsNewer: true })).toEqual({ applied: [] });
    await owner.query("update migration.file_hash set sha256 = 'of other text' where name = '0005_event_log.sql'");
    await expect(run({ acceptsNewer: true })).rejects.toThrow('0005_event_log.sql was changed');
  });

  it('F89 blocks no statement on a table that a migration waits for, and migrates when the table is free', async () => {
    await run();
    const index = 'create index attempt_by_start on billing.processor_attempt (started_at)';
    const folder = await folderWith({ '9001_index': index, '9002_note': 'alter table usage.cursor add note text' });
    const service = createDatabase({ url: test.urlFor('billing_worker'), name: 'service', log });
    const writer = await connectOracleDatabase(test.ownerUrl);
    await writer.query('begin; lock table billing.processor_attempt in row exclusive mode'); // and keeps its transaction open
    const migrating = run({ folder }); // the index waits for that transaction
    await eventually(isWaiting, { withinMs: 10_000 });
    for (let writes = 0; writes < 20; writes += 1) {
      await service.query('update billing.processor_attempt set failure_code = null where false'); // waits for 2 s at most
      await sleep(100);
    }
    await writer.end();
    expect((await migrating).applied).toEqual(['9001_index', '9002_note']);
    await service.stop();
    await rm(folder, { recursive: true });
  }, 60_000);

  it('gives services roles that cannot change tables or make any', async () => {
    await run();
    for (const role of serviceRoles) {
      const service = await connectOracleDatabase(test.urlFor(role));
      for (const statement of ['create table public.mine ()', 'drop table usage.rollup', 'truncate usage.event']) {
        await expect(service.query(statement)).rejects.toMatchObject({ code: '42501' }); // insufficient_privilege
      }
      await service.end();
    }
  });
});
