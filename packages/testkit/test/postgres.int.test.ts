import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';

import { testDatabase, type TestDatabase } from '../src/postgres.ts';

describe('testDatabase', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  it('is migrated, and each role can sign in to it with its own rights', async () => {
    expect(await whoAmI(database.urlFor('billing_worker'))).toEqual({
      role: 'billing_worker',
      database: database.name,
    });
    const applied = await rowsOf(database.ownerUrl, 'select name from migration.applied');
    expect(applied.length).toBeGreaterThan(0);
    await expect(rowsOf(database.urlFor('billing_worker'), 'select * from migration.applied')).rejects.toThrow(
      'permission denied',
    );
  });

  it('is nobody else’s: what is written in one is not in another', async () => {
    const other = await testDatabase();
    await rowsOf(other.ownerUrl, 'create table public.mine ()');
    await expect(rowsOf(database.ownerUrl, 'select * from public.mine')).rejects.toThrow('does not exist');
    await other.drop();
  });

  it('names the roles that there are when asked for another', () => {
    expect(() => database.urlFor('root')).toThrow(/there is no role root; there are auth_api/);
  });
});

async function whoAmI(url: string): Promise<unknown> {
  const [row] = await rowsOf(url, 'select current_user as role, current_database() as database');
  return row;
}

async function rowsOf(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<object>(statement)).rows;
  } finally {
    await client.end();
  }
}
