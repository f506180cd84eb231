import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { createDatabase } from '@tollgate/database/database';
import { createReadUsage } from '../../src/usage/read-usage.ts';
import { perCall, putTool } from '../support/invoicing-fixture.ts';
import { putRollup } from '../support/put-rollup.ts';
import { november, october } from '../support/random-usage.ts';
import { silentLog } from '../support/silent-log.ts';
import { useDatabase } from '../support/use-database.ts';

const db = useDatabase();

const keptText = `select name, parameter_types::text[] as types, generic_plans from pg_prepared_statements
  where name in ('billing.read_timed_usage', 'billing.sum_usage') order by name collate "C"`;

it('usage is read by kept plans, which compare no row of one set with each row of another', async () => {
  const database = createDatabase({
    url: db.database.urlFor('billing_api'),
    name: 'one',
    maxConnections: 1,
    log: silentLog,
  });
  const readUsage = createReadUsage({ database, scope: 'lifetime' });
  const [ownerId, consumerId] = [randomUUID(), randomUUID()];
  await putTool(db.owner, { slug: 'kept', ownerId, price: perCall('0.001') });
  await putRollup(db.owner, { consumerId, tool: 'kept', hour: '2026-11-01T00:00:00Z', measures: { tokens: '1' } });
  await db.owner.query('analyze'); // which makes the planner take the sets for as small as they are
  for (let times = 0; times < 12; times += 1)
    await readUsage({
      accountId: consumerId,
      role: 'consumer',
      fromMs: october.start,
      toMs: november.end,
      groupBy: new Set(),
    });
  const kept = await database.query<{ name: string; types: string[]; generic_plans: bigint }>(keptText);
  expect(kept.map(({ name }) => name)).toEqual(['billing.read_timed_usage', 'billing.sum_usage']);
  for (const { name, types, generic_plans: plans } of kept) {
    expect(plans).toBeGreaterThan(0n);
    await database.transaction(async (tx) => {
      await tx.query('set local plan_cache_mode = force_generic_plan');
      const values = types.map((type) => `null::${type}`).join();
      const lines = await tx.query<Record<string, string>>(`explain (costs off) execute "${name}" (${values})`);
      const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
      expect(plan).toMatch(/Hash|Merge/);
      expect(plan).not.toMatch(/Nested Loop.*\n *Join Filter/);
    });
  }
  await database.stop();
});
