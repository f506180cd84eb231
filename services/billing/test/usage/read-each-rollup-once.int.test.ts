import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Price } from '@tollgate/contracts/tools/price';
import type { Database, Transaction } from '@tollgate/database/database';
import { sumMicros } from '@tollgate/kernel/money';
import { rateConsumers } from '../../src/usage/rate-consumers.ts';
import { createReadUsage } from '../../src/usage/read-usage.ts';
import type { UsageQuery } from '../../src/usage/usage-row.ts';
import { perCall, putTool } from '../support/invoicing-fixture.ts';
import { putPass } from '../support/put-pass.ts';
import { november, october } from '../support/random-usage.ts';
import { useDatabase } from '../support/use-database.ts';

const db = useDatabase();
const [builderId, consumerId] = [randomUUID(), randomUUID()];
const tools = ['alpha', 'beta', 'gamma'];
const passes = Array.from({ length: 4 }, () => randomUUID());

/** Tokens are priced finer than a micro-dollar, and in tiers: so the order of calls matters for each hour and pass. */
const perToken: Price = {
  currency: 'usd',
  bill_failed_calls: false,
  charges: [
    {
      name: null,
      metric: { type: 'metadata_sum', key: 'tokens' },
      model: {
        type: 'graduated',
        tiers: [
          { up_to: '9000', unit_price_usd: '0.00000015', flat_price_usd: '0' },
          { up_to: null, unit_price_usd: '0.00000007', flat_price_usd: '0' },
        ],
      },
      free_quantity: '100',
    },
  ],
};

const hours = `generate_series('2026-10-24Z'::timestamptz, '2026-11-06T23:00Z', '1 hour') h`;
const callsText = `insert into usage.rollup
  select $1, tool, h, ok, 1 + length(tool), 7 from ${hours}, unnest($2::text[]) tool, unnest(array[true, false]) ok`;
const passCallsText = `insert into usage.pass_rollup
  select $1, tool, h, true, pass, 2 + length(tool), 9 from ${hours}, unnest($2::text[]) tool, unnest($3::uuid[]) pass`;
const measuresText = `insert into usage.rollup_measure
  select consumer_id, tool_id, hour, success, 'tokens', calls * 1.5 from usage.rollup where tool_id = 'beta'`;
const passMeasuresText = `insert into usage.pass_rollup_measure
  select consumer_id, tool_id, hour, success, pass_id, 'tokens', calls * 1.5 from usage.pass_rollup where tool_id = 'beta'`;
const spanOfMonths = { consumerId, firstPeriod: '2026-10', lastPeriod: '2026-11' };
const storedText = `select (select count(*) from usage.rollup_v1) + (select count(*) from usage.rollup_measure_v1) as rows`;

/** Reads usage, and counts the rows that PostgreSQL took from the rollups, the rows that it sent, and the statements. */
async function work(query: UsageQuery) {
  const done = { read: 0, sent: 0, statements: 0 };
  const counting = (tx: Transaction): Transaction => ({
    isTransaction: true,
    async query<Row extends object>(statement: Parameters<Transaction['query']>[0], values: readonly unknown[] = []) {
      const text = typeof statement === 'string' ? statement : statement.text;
      const cursor = /^declare .* for (?=\s)/.exec(text);
      const isExplained = cursor !== null || /^\s*(with|select)\b/.test(text);
      if (isExplained && !text.includes('set_config')) {
        const asked = `explain (analyze, timing off, costs off, format json) ${text.slice(cursor?.[0].length ?? 0)}`;
        const [plan] = await tx.query<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(asked, values);
        done.read += rowsRead(plan?.['QUERY PLAN'][0]?.Plan);
      }
      const rows = await tx.query<Row>(statement, values);
      done.sent += rows.length;
      done.statements += 1;
      return rows;
    },
  });
  const database: Database = {
    ...db.api,
    transaction: (task, options) => db.api.transaction((tx) => task(counting(tx)), options),
  };
  const usage = await createReadUsage({ database, scope: 'lifetime' })(query);
  return { usage, done };
}

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

function rowsRead(node: PlanNode | undefined): number {
  if (node === undefined) return 0;
  const below = (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);
  if (!node['Relation Name']?.includes('rollup')) return below;
  return below + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
}

describe('usage of many hours', () => {
  let stored = 0;
  let invoiced = 0n;

  beforeAll(async () => {
    const later = [{ from: '2026-10-28T05:00:00Z', price: perToken }];
    await putTool(db.owner, { slug: 'alpha', ownerId: builderId, price: perCall('0.0013') });
    await putTool(db.owner, { slug: 'beta', ownerId: builderId, price: perCall('0.002'), later });
    await putTool(db.owner, { slug: 'gamma', ownerId: builderId, price: perCall('0.0000001') });
    for (const [at, passId] of passes.entries())
      await putPass(db.owner, { accountId: consumerId, passId, tags: at % 2 === 0 ? { team: 'research' } : {} });
    await db.owner.query(callsText, [consumerId, tools]);
    await db.owner.query(passCallsText, [consumerId, tools, passes]);
    await db.owner.query(measuresText);
    await db.owner.query(passMeasuresText);
    await db.owner.query('analyze');
    const lines = await db.worker.transaction((tx) => rateConsumers(tx, [spanOfMonths]));
    invoiced = sumMicros((lines.get(consumerId) ?? []).map(({ chargeMicros }) => chargeMicros));
    stored = Number((await db.owner.query<{ rows: bigint }>(storedText))[0]?.rows);
  });

  const asConsumer = { accountId: consumerId, role: 'consumer', fromMs: october.start, toMs: november.end } as const;
  const asBuilder = { ...asConsumer, accountId: builderId, role: 'builder' } as const;
  const groupings = {
    'the whole time': {},
    hour: { granularity: 'hour' },
    day: { granularity: 'day' },
    month: { granularity: 'month' },
    'day and tool': { granularity: 'day', groupBy: new Set(['tool_id']) },
    pass: { groupBy: new Set(['pass_id']) },
    'day and pass': { granularity: 'day', groupBy: new Set(['pass_id']) },
    'month, tool and pass': { granularity: 'month', groupBy: new Set(['tool_id', 'pass_id']) },
    'hour and tag': { granularity: 'hour', tags: ['team'] },
    'month and tag': { granularity: 'month', tags: ['team'] },
    outcome: { groupBy: new Set(['success']) },
  } satisfies Record<string, Partial<UsageQuery>>;

  it.each(Object.entries<Partial<UsageQuery>>(groupings))(
    'F377 reads each rollup once, and costs what invoices say, by %s',
    async (_, asked) => {
      const { usage, done } = await work({ ...asConsumer, groupBy: new Set(), ...asked });
      expect(stored).toBeGreaterThan(8_000);
      expect(done.read).toBeGreaterThan(0.9 * stored);
      expect(done.read).toBeLessThan(1.01 * stored);
      expect(done.statements).toBeLessThan(12);
      expect(usage.totals).toMatchObject(await totals());
      expect(usage.totals.money?.chargeMicros).toBe(asked.groupBy?.has('success') ? undefined : invoiced);
    },
  );

  it('F377 sends one row per series of hours, whatever asks for the hours', async () => {
    for (const asked of [groupings.hour, groupings.pass, groupings['hour and tag']]) {
      const { done } = await work({ ...asConsumer, groupBy: new Set(), ...asked });
      // Three tools in two months, one of them with two prices: seven series. Each has six rows of calls at most, and as many of
      // tokens.
      expect(done.sent).toBeLessThan(7 * 12 + 20);
    }
  });

  it('F377 reads each rollup once for builders, too', async () => {
    const { usage, done } = await work({ ...asBuilder, granularity: 'day', groupBy: new Set() });
    expect(done.read).toBeLessThan(1.01 * stored);
    expect(usage.totals).toMatchObject(await totals());
    expect(usage.totals.money?.chargeMicros).toBe(invoiced);
  });

  async function totals() {
    const [calls] = await db.owner.query<{ calls: bigint; duration: bigint }>(
      `select sum(calls)::bigint as calls, sum(duration_ms)::bigint as duration from usage.rollup_v1`,
    );
    const [tokens] = await db.owner.query<{ total: string }>(
      `select trim_scale(sum(total))::text as total from usage.rollup_measure_v1`,
    );
    return { calls: calls?.calls, durationMs: calls?.duration, measures: new Map([['tokens', tokens?.total]]) };
  }
});
