import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { Transaction } from '@tollgate/database/database';
import { sumUsageByPrice } from '../../src/usage/sql-sum-usage-by-price.ts';
import { perCall, putTool } from '../support/invoicing-fixture.ts';
import { useDatabase } from '../support/use-database.ts';

const db = useDatabase();

const usageText = `insert into usage.rollup
  select md5('consumer' || c)::uuid, $1, '2026-10-01Z'::timestamptz + n * interval '1 hour', true, 100, 5000
  from generate_series(1, 2000) c, generate_series(1, 5) n`;
const consumersText = 'select distinct consumer_id from usage.rollup limit 200';

it('a pair reads its own hours alone, before PostgreSQL has statistics of a first month', async () => {
  await putTool(db.owner, { slug: 'shared', ownerId: randomUUID(), price: perCall('0.001') });
  await db.owner.query('alter table usage.rollup set (autovacuum_enabled = false)');
  await db.owner.query(usageText, ['shared']);
  const consumers = await db.owner.query<{ consumer_id: string }>(consumersText);
  const spans = consumers.map((row) => ({
    consumerId: row.consumer_id,
    firstPeriod: '2026-10' as const,
    lastPeriod: '2026-10' as const,
  }));
  const plan = await db.worker.transaction(async (tx) => {
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
    await sumUsageByPrice(explaining, spans);
    return lines.join('\n');
  });
  expect(plan).toMatch(/Index Scan (using|on) rollup_pkey/);
  expect(plan).not.toContain('by_tool');
});
