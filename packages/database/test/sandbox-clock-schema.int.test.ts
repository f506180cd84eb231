import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { migrateThrough } from '@tollgate/testkit/migrate-through';
import { withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { emptyTestDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { migrate } from '../src/migrate.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const stoodAt = new Date('2023-11-16T18:15:00.000Z');
const movedTo = new Date('2023-12-16T18:15:00.000Z');
const followers = ['auth_worker', 'ingest_gateway_worker', 'aggregator_worker'];

/** How the version before moved the clock. */
const moveUnderOldName = `insert into billing.sandbox_clock as c (stood_at, set_at, is_frozen, moves)
  values ($1, clock_timestamp(), true, 4)
  on conflict (only_row) do update
    set stood_at = excluded.stood_at, set_at = excluded.set_at, is_frozen = excluded.is_frozen, moves = excluded.moves
    where c.moves = 3
  returning moves`;

let test: TestDatabase;
beforeAll(async () => {
  test = await emptyTestDatabase();
  await migrateThrough(test.ownerUrl, '0018_nightly_rollup_check');
  await as('billing_worker', 'insert into billing.sandbox_clock values (default, $1, $1, true, 3)', [stoodAt]);
  const rolePasswords = (role: string) => new URL(test.urlFor(role)).password;
  await migrate({ ownerUrl: test.ownerUrl, rolePasswords, log });
});
afterAll(() => test.drop());

const as = (role: string, text: string, values?: unknown[]) => run(test.urlFor(role), text, values);

async function run(url: string, text: string, values: unknown[] = []): Promise<unknown[]> {
  return withOracleDatabase(url, async (database) => (await database.query<object>(text, values)).rows);
}

const readAs = (role: string, view: string) => as(role, `select stood_at, moves::int from ${view}`);

describe('the migration that moves the clock into the schema `sandbox`', () => {
  it.each(['billing_worker', ...followers])('keeps the value, for %s under both names', async (role) => {
    const kept = [{ stood_at: stoodAt, moves: 3 }];
    expect(await readAs(role, 'sandbox.clock_v1')).toEqual(kept);
    expect(await readAs(role, 'billing.sandbox_clock_v1')).toEqual(kept);
    expect(await as(role, 'select sandbox.begin_clock(now()) as begun')).toEqual([{ begun: true }]);
    expect(await as(role, 'select billing.begin_sandbox_clock(now()) as begun')).toEqual([{ begun: true }]);
    expect(await readAs(role, 'sandbox.clock_v1')).toEqual(kept); // it had begun
  });

  it.each(followers)('lets %s read the clock, and nothing else of the sandbox', async (role) => {
    for (const refused of ['update sandbox.clock set moves = 9', 'select from sandbox.account'])
      await expect(as(role, refused)).rejects.toMatchObject({ code: '42501' }); // insufficient_privilege
  });

  it('lets billing of the version before move the clock for all', async () => {
    expect(await as('billing_worker', moveUnderOldName, [movedTo])).toHaveLength(1);
    expect(await readAs('auth_worker', 'sandbox.clock_v1')).toEqual([{ stood_at: movedTo, moves: 4 }]);
  });
});

describe('the clock of an empty database', () => {
  it('begins under its old name, too', async () => {
    await run(test.ownerUrl, 'delete from sandbox.clock');
    await as('auth_worker', 'select billing.begin_sandbox_clock($1)', [stoodAt]);
    expect(await readAs('auth_worker', 'sandbox.clock_v1')).toEqual([{ stood_at: stoodAt, moves: 1 }]);
  });
});
