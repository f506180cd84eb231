import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { Transaction } from '@tollgate/database/database';
import { sumUsageByPrice } from '../../src/usage/sql-sum-usage-by-price.ts';
import type { RowBounds } from '../../src/usage/too-much-usage.ts';
import type { UsageSpan } from '../../src/usage/usage-span.ts';
import { perCall, putTool } from '../support/invoicing-fixture.ts';
import { putManyTools } from '../support/put-large-invoice.ts';
import { useDatabase } from '../support/use-database.ts';

const db = useDatabase();

const usageText = `insert into usage.rollup
  select md5('consumer' || c)::uuid, $1, '2026-10-01Z'::timestamptz + n * interval '1 hour', true, 100, 5000
  from generate_series(1, 2000) c, generate_series(1, 5) n`;
const consumersText = 'select distinct consumer_id from usage.rollup limit 200';

it('consumers read their own hours alone, before PostgreSQL has statistics of a first month', async () => {
  await putTool(db.owner, { slug: 'shared', ownerId: randomUUID(), price: perCall('0.001') });
  await db.owner.query('alter table usage.rollup set (autovacuum_enabled = false)');
  await db.owner.query(usageText, ['shared']);
  const consumers = await db.owner.query<{ consumer_id: string }>(consumersText);
  const spans = consumers.map((row) => spanOf(row.consumer_id));
  const plan = await planOf(spans);
  expect(plan).toMatch(/Index Scan (using|on) rollup_pkey/);
  expect(plan).not.toContain('by_tool');
});

it('sums and prices of many tools are not compared each with each', async () => {
  const consumerId = randomUUID();
  const tools = 400;
  await db.owner.query('analyze usage.rollup'); // all consumers are small until here, so the planner expects few rows
  await putManyTools(db.owner, { builderId: randomUUID(), prefix: 'many', tools });
  await db.owner.query(
    `insert into usage.rollup select $1, tool_id, '2026-10-01Z', true, 1, 0 from billing.tool where tool_id like 'many%'`,
    [consumerId],
  );
  await db.owner.query(
    `insert into usage.rollup_measure select consumer_id, tool_id, hour, success, 'tokens', 1 from usage.rollup
     where consumer_id = $1`,
    [consumerId],
  );
  const plan = await planOf([spanOf(consumerId)], { rowsMax: 2_000 });
  expect(mostCompared(plan)).toBeLessThan(2 * tools);
});

it('divided tools and their prices are not compared each with each', async () => {
  const consumerId = randomUUID();
  const tools = 400;
  await putManyTools(db.owner, { builderId: randomUUID(), prefix: 'divided', tools });
  for (const hour of ['2026-09-30Z', '2026-10-01Z'])
    await db.owner.query(
      `insert into usage.rollup select $1, tool_id, $2, true, 1, 0 from billing.tool where tool_id like 'divided%'`,
      [consumerId, hour],
    );
  const plan = await planOf([{ ...spanOf(consumerId), firstPeriod: '2026-09' }], { rowsMax: 2_000 });
  expect(mostCompared(plan)).toBeLessThan(2 * tools);
});

const spanOf = (consumerId: string) => ({ consumerId, firstPeriod: '2026-10', lastPeriod: '2026-10' });

/** Pairs of rows that the worst join compared in vain. */
function mostCompared(plan: string): number {
  const compared = [...plan.matchAll(/Rows Removed by Join Filter: (\d+)/g)].map(([, rows]) => Number(rows));
  return Math.max(0, ...compared);
}

/** The plan of the sums, with what each step read. */
function planOf(spans: readonly UsageSpan[], bounds: RowBounds = {}): Promise<string> {
  return db.worker.transaction(async (tx) => {
    const lines: string[] = [];
    const explaining: Transaction = {
      isTransaction: true,
      async query(statement, values) {
        const text = typeof statement === 'string' ? statement : statement.text;
        const rows = await tx.query<Record<string, string>>(`explain (analyze, timing off) ${text}`, values);
        lines.push(...rows.map((row) => row['QUERY PLAN'] ?? ''));
        return [];
      },
    };
    await sumUsageByPrice(explaining, spans, bounds);
    return lines.join('\n');
  });
}
