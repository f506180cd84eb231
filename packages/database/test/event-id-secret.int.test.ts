import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { migrateThrough } from '@tollgate/testkit/migrate-through';
import { withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { emptyTestDatabase } from '@tollgate/testkit/postgres';
import { finishUpgrade } from '../src/finish-upgrade.ts';
import { migrate } from '../src/migrate.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const secretText = 'select has_old_ids, in_use, length(secret) as length from usage.event_id_secret';
const countedText = `insert into usage.event_key values ($1, $1, '', now())`;
const id = '0199a3b2-7c1d-8e4f-8a5b-6c7d8e9f0a1b';

/** Migrates a database that was at the version before the secret, and asks it. */
async function secretAfter(used: boolean): Promise<{ secret: object[]; finished: boolean; after: object[] }> {
  const test = await emptyTestDatabase();
  try {
    await migrateThrough(test.ownerUrl, '0042_payout_account_state');
    const ask = (text: string, values: unknown[] = []) =>
      withOracleDatabase(test.ownerUrl, async (database) => (await database.query<object>(text, values)).rows);
    if (used) await ask(countedText, [id]);
    await migrate({ ownerUrl: test.ownerUrl, rolePasswords: (role) => new URL(test.urlFor(role)).password, log });
    const secret = await ask(secretText);
    return { secret, finished: await finishUpgrade(test.ownerUrl), after: await ask(secretText) };
  } finally {
    await test.drop();
  }
}

describe('the secret of event ids', () => {
  it('F191 is not in use on a database with keys of before, until the upgrade is finished', async () => {
    const { secret, finished, after } = await secretAfter(true);
    expect(secret).toEqual([{ has_old_ids: true, in_use: false, length: 43 }]);
    expect([finished, after]).toEqual([true, [{ has_old_ids: true, in_use: true, length: 43 }]]);
  });

  it('F190 is in use from the beginning on a new database', async () => {
    const { secret, finished } = await secretAfter(false);
    expect([secret, finished]).toEqual([[{ has_old_ids: false, in_use: true, length: 43 }], false]);
  });
});
