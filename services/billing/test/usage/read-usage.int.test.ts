import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase, type Database } from '@tollgate/database/database';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { putRollup } from '../support/put-rollup.ts';
import { createReadUsage } from '../../src/usage/read-usage.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const builder = randomUUID();
const consumer = randomUUID();
const other = randomUUID();

let test: TestDatabase;
let owner: Database;
let api: Database;

beforeAll(async () => {
  test = await testDatabase();
  owner = createDatabase({ url: test.ownerUrl, name: 'owner', log });
  api = createDatabase({ url: test.urlFor('billing_api'), name: 'api', log });
  await owner.query(`insert into billing.tool values ('search', $1, 'Search', null, null, '2026-01-01T00:00:00Z')`, [
    builder,
  ]);
  for (const consumerId of [consumer, other]) {
    await putRollup(owner, { consumerId, tool: 'search', hour: '2026-11-01T00:00:00Z', measures: { tokens: '1' } });
  }
  await putRollup(owner, {
    consumerId: other,
    tool: 'elsewhere',
    hour: '2026-11-01T00:00:00Z',
    measures: { tokens: '1' },
  });
});

afterAll(async () => {
  await api.stop();
  await owner.stop();
  await test.drop();
});

/** Whose rows the database itself lets through, for a query that asks for all. */
async function visible(view: string, accountId?: string): Promise<number> {
  const rows = await api.transaction(
    (tx) => tx.query(`select 1 from usage.${view}`),
    accountId === undefined ? {} : { accountId },
  );
  return rows.length;
}

describe('usage in PostgreSQL', () => {
  it.each(['rollup_v1', 'rollup_measure_v1'])(
    'lets through of %s what is the account’s own, and nothing without one',
    async (view) => {
      expect(await visible(view)).toBe(0);
      expect(await visible(view, consumer)).toBe(1);
      expect(await visible(view, other)).toBe(2);
      expect(await visible(view, builder)).toBe(2);
      expect(await visible(view, randomUUID())).toBe(0);
    },
  );

  it('is counted through nothing before the first record ever was', async () => {
    const query = { accountId: consumer, role: 'consumer', fromMs: 0, toMs: 1, groupBy: new Set<never>() } as const;
    const readUsage = createReadUsage({ database: api, scope: 'lifetime' });
    expect(await readUsage(query)).toMatchObject({ countedThroughMs: 0, rows: [] });
  });
});
