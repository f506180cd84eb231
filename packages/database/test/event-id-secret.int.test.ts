import { expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { emptyTestDatabase } from '@tollgate/testkit/postgres';
import { migrate } from '../src/migrate.ts';

const log = createLogger({ name: 'test', level: 'silent' });

/** The test databases are copies of one, so this one is migrated anew. */
async function secretOfNewDatabase(): Promise<string | undefined> {
  const test = await emptyTestDatabase();
  try {
    await migrate({ ownerUrl: test.ownerUrl, rolePasswords: (role) => new URL(test.urlFor(role)).password, log });
    const text = 'select secret from usage.event_id_secret';
    return await withOracleDatabase(test.ownerUrl, async (database) => {
      return (await database.query<{ secret: string }>(text, [])).rows[0]?.secret;
    });
  } finally {
    await test.drop();
  }
}

it('F190 each new database has a secret of event ids of its own: 32 bytes, in base64url', async () => {
  const secrets = [await secretOfNewDatabase(), await secretOfNewDatabase()];
  expect(new Set(secrets).size).toBe(2);
  for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/);
});
