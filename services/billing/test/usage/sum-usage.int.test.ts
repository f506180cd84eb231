import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, type Transaction, createDatabase } from '@tollgate/database/database';
import { sumMicros } from '@tollgate/kernel/money';
import type { Line } from '@tollgate/pricing/line';
import fc from 'fast-check';
import { sumUsageByPrice, type RowBounds, TooMuchUsage } from '../../src/usage/sql-sum-usage-by-price.ts';
import { type InvoicingFixture, createInvoicingFixture, perCall, putTool } from '../support/invoicing-fixture.ts';
import { type TestRollup, putRollup } from '../support/put-rollup.ts';
import { useDatabase } from '../support/use-database.ts';
import type { UsageSpan, UsageQuery } from '../../src/usage/usage-row.ts';
import { putManyTools } from '../support/put-large-invoice.ts';
import { createReadUsage } from '../../src/usage/read-usage.ts';
import { type RandomWorld, november, october, putWorldUntil, usage } from '../support/random-usage.ts';
import { silentLog, silentLog as log } from '../support/silent-log.ts';
import { rateGrossBefore } from '../../src/usage/rate-gross-before.ts';

const ownerId = randomUUID();

const usageText = `insert into usage.rollup
  select md5('consumer' || c)::uuid, $1, '2026-10-01Z'::timestamptz + n * interval '1 hour', true, 100, 5000
  from generate_series(1, 2000) c, generate_series(1, 5) n`;
const consumersText = 'select distinct consumer_id from usage.rollup limit 200';

const spanOf = (consumerId: string) => ({ consumerId, firstPeriod: '2026-10', lastPeriod: '2026-10' });

/** Pairs of rows that the worst join compared in vain. */
function mostCompared(plan: string): number {
  const compared = [...plan.matchAll(/Rows Removed by Join Filter: (\d+)/g)].map(([, rows]) => Number(rows));
  return Math.max(0, ...compared);
}

const keptText = `select name, parameter_types::text[] as types, generic_plans from pg_prepared_statements
  where name in ('billing.read_timed_usage', 'billing.read_used_tools_consumer') order by name collate "C"`;
let api: Database;

const chargesOf = (lines: readonly Line[]): bigint => sumMicros(lines.map(({ chargeMicros }) => chargeMicros));
const asBuilder = (accountId: string) => ({ accountId, role: 'builder', groupBy: new Set<never>() }) as const;
const readUsage = (query: UsageQuery) => createReadUsage({ database: api, scope: 'lifetime' })(query);

describe('sum usage by price', () => {
  const db = useDatabase();

  const uses = (consumerId: string, tool: string, hours: readonly Omit<TestRollup, 'consumerId' | 'tool'>[]) =>
    Promise.all(hours.map((hour) => putRollup(db.owner, { consumerId, tool, ...hour })));

  it('divides the hours of a tool by month, price version and outcome', async () => {
    const consumerId = randomUUID();
    const later = [{ from: '2026-10-15T12:00:00Z', price: perCall('0.002') }];
    const [first, second] = await putTool(db.owner, { slug: 'changed', ownerId, price: perCall('0.001'), later });
    const [only] = await putTool(db.owner, { slug: 'kept', ownerId, price: perCall('0.001') });
    await uses(consumerId, 'changed', [
      { hour: '2026-08-31T23:00:00Z', calls: 1_000 }, // before the span
      { hour: '2026-09-30T23:00:00Z', calls: 1, measures: { tokens: '10' } },
      { hour: '2026-10-01T00:00:00Z', calls: 2, measures: { tokens: '20' } },
      { hour: '2026-10-15T11:00:00Z', calls: 4, measures: { tokens: '40.5' } },
      { hour: '2026-10-15T11:00:00Z', calls: 7, passId: randomUUID() },
      { hour: '2026-10-15T12:00:00Z', calls: 8, durationMs: 5n, measures: { tokens: '80', images: '1' } },
      { hour: '2026-10-15T12:00:00Z', calls: 16, success: false },
      { hour: '2026-11-01T00:00:00Z', calls: 2_000 }, // after it
    ]);
    await uses(consumerId, 'kept', [
      { hour: '2026-10-03T00:00:00Z', calls: 32, measures: { tokens: '1' } },
      { hour: '2026-10-04T00:00:00Z', calls: 64, measures: { tokens: '2' } },
    ]);
    const spans = [{ consumerId, firstPeriod: '2026-09', lastPeriod: '2026-10' }];

    const usage = await db.worker.transaction((tx) => sumUsageByPrice(tx, spans));
    const rows = usage.map(
      ({ period, priceId, success, calls, durationMs, measures }) =>
        [period, priceId, success, Number(calls), Number(durationMs), Object.fromEntries(measures)] as const,
    );
    expect(rows.toSorted((left, right) => left[3] - right[3])).toEqual([
      ['2026-09', first, true, 1, 0, { tokens: '10' }],
      ['2026-10', second, true, 8, 5, { tokens: '80', images: '1' }],
      ['2026-10', first, true, 13, 0, { tokens: '60.5' }],
      ['2026-10', second, false, 16, 0, {}],
      ['2026-10', only, true, 96, 0, { tokens: '3' }],
    ]);
    const ofOne = await db.worker.transaction((tx) => sumUsageByPrice(tx, spans, { toolIds: ['kept', 'unused'] }));
    expect(ofOne.map(({ priceId, calls }) => [priceId, calls])).toEqual([[only, 96n]]);
  });

  it('refuses more rows than asked for, and more hours than a month has for each', async () => {
    await putTool(db.owner, { slug: 'busy', ownerId, price: perCall('0.001') });
    await putTool(db.owner, { slug: 'quiet', ownerId, price: perCall('0.001') });
    const [steady, wide] = [randomUUID(), randomUUID()];
    const everyHour = `from generate_series('2026-10-01Z'::timestamptz, '2026-10-31T23:00Z', '1 hour') as t (hour)`;
    await db.owner.query(`insert into usage.rollup select $1, 'busy', hour, true, 1, 0 ${everyHour}`, [steady]);
    await db.owner.query(
      `insert into usage.rollup_measure select $1, 'busy', hour, true, key, 1 ${everyHour}, unnest(array['images', 'tokens']) key`,
      [steady],
    );
    await uses(wide, 'busy', [{ hour: '2026-10-01T00:00:00Z' }]);
    await uses(wide, 'quiet', [{ hour: '2026-10-01T00:00:00Z' }]);
    const sum = (consumerId: string, rowsMax: number) => {
      const spans = [{ consumerId, firstPeriod: '2026-10', lastPeriod: '2026-10' }];
      return db.worker.transaction((tx) => sumUsageByPrice(tx, spans, { rowsMax }));
    };

    await expect(sum(wide, 1)).rejects.toThrow(TooMuchUsage);
    expect(await sum(wide, 2)).toHaveLength(2);
    const [row] = await sum(steady, 1);
    expect([row?.calls, Object.fromEntries(row?.measures ?? [])]).toEqual([744n, { tokens: '744', images: '744' }]);
    await uses(steady, 'busy', [{ hour: '2026-10-01T00:00:00Z', passId: randomUUID() }]);
    await expect(sum(steady, 1)).rejects.toThrow(TooMuchUsage);
    expect((await sum(steady, 2)).map(({ calls }) => calls)).toEqual([745n]);
  });

  it('a tool without a price gives no row, and takes the place of none', async () => {
    await putTool(db.owner, { slug: 'paid', ownerId, price: perCall('0.001') });
    await putTool(db.owner, { slug: 'paid-too', ownerId, price: perCall('0.001') });
    const freeText = `insert into billing.tool (tool_id, owner_id, name, created_at) values ($1, $2, $1, '2020-01-01Z')`;
    for (const slug of ['free', 'free-too']) await db.owner.query(freeText, [slug, ownerId]);
    const [consumerId, other, unused] = [randomUUID(), randomUUID(), randomUUID()];
    const sum = (rowsMax?: number, user = consumerId) => {
      const spans = [user, unused].map((id) => ({ consumerId: id, firstPeriod: '2026-09', lastPeriod: '2026-10' }));
      return db.worker.transaction((tx) => sumUsageByPrice(tx, spans, { rowsMax }));
    };
    const hours = [{ hour: '2026-09-30T00:00:00Z' }, { hour: '2026-10-01T00:00:00Z' }];

    await uses(consumerId, 'free', hours);
    expect(await sum()).toEqual([]);
    await uses(consumerId, 'paid', hours);
    await uses(consumerId, 'paid-too', hours);
    expect(await sum()).toHaveLength(4);
    expect(await sum(4)).toHaveLength(4);
    await expect(sum(3)).rejects.toThrow(TooMuchUsage);
    await expect(sum(2)).rejects.toThrow(TooMuchUsage);

    for (const slug of ['free', 'free-too', 'paid']) await uses(other, slug, hours.slice(1));
    await expect(sum(1, other)).rejects.toThrow(TooMuchUsage); // the paid one has not been read
    expect(await sum(3, other)).toHaveLength(1);
  });

  it('leaves out measures without calls', async () => {
    await putTool(db.owner, { slug: 'drifted', ownerId, price: perCall('0.001') });
    const consumerId = randomUUID();
    await uses(consumerId, 'drifted', [{ hour: '2026-10-01T00:00:00Z' }]);
    await db.owner.query(`insert into usage.rollup_measure values ($1, 'drifted', '2026-10-01Z', false, 'tokens', 5)`, [
      consumerId,
    ]);
    const spans = [{ consumerId, firstPeriod: '2026-10', lastPeriod: '2026-10' }];
    const usage = await db.worker.transaction((tx) => sumUsageByPrice(tx, spans));
    expect(usage.map(({ success, measures }) => [success, measures.size])).toEqual([[true, 0]]);
  });
});

describe('plan of sums', () => {
  const db = useDatabase();

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
});

describe('kept plans', () => {
  const db = useDatabase();

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
    expect(kept.map(({ name }) => name)).toEqual(['billing.read_timed_usage', 'billing.read_used_tools_consumer']);
    for (const { name, types, generic_plans: plans } of kept) {
      expect(plans).toBeGreaterThan(0n);
      await database.transaction(async (tx) => {
        await tx.query('set local plan_cache_mode = force_generic_plan');
        const values = types.map((type) => `null::${type}`).join();
        const lines = await tx.query<Record<string, string>>(`explain (costs off) execute "${name}" (${values})`);
        const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
        expect(plan).toMatch(/Scan (using|on) rollup_pkey/);
        expect(plan).not.toMatch(/Nested Loop.*\n *Join Filter/);
      });
    }
    await database.stop();
  });
});

describe('gross before', () => {
  let fixture: InvoicingFixture;

  beforeAll(async () => {
    fixture = await createInvoicingFixture();
    api = createDatabase({ url: fixture.database.urlFor('billing_api'), name: 'gross-before', log });
  });
  afterAll(async () => {
    await api.stop();
    await fixture.drop();
  });

  /** Builders' usage starts its fees from this gross. */
  it('adds up closed months, calls that were counted late for them, and open months, exactly', async () => {
    const random = fc.sample(fc.tuple(usage, fc.nat(25)), 40);
    const worlds: (RandomWorld & { readonly cutMs: number; putRest(): Promise<void> })[] = [];
    for (const [one, known] of random)
      worlds.push({ ...(await putWorldUntil(fixture.owner, one, known)), cutMs: one.cutMs });
    const grossBefore = async (builderId: string, beforeMs: number): Promise<bigint> => {
      const query = { builderId, scope: 'lifetime', beforeMs } as const;
      const options = { accountId: builderId, isolation: 'snapshot' } as const;
      const gross = await api.transaction((tx) => rateGrossBefore(tx, query), options);
      return gross.get('lifetime') ?? 0n;
    };
    const proveGross = async (): Promise<void> => {
      for (const { builderId, lines, cutMs } of worlds) {
        expect(await grossBefore(builderId, november.end)).toBe(chargesOf(lines));
        const since = await readUsage({ ...asBuilder(builderId), fromMs: cutMs, toMs: november.end });
        expect(await grossBefore(builderId, cutMs)).toBe(chargesOf(lines) - (since.totals.money?.chargeMicros ?? 0n));
      }
    };

    await fixture.close('2026-10');
    for (const { putRest } of worlds) await putRest();
    await proveGross();
    await fixture.close('2026-11');
    await proveGross();
  }, 120_000);
});
