import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Price } from '@tollgate/contracts/price';
import { toIso } from '@tollgate/kernel/clock';
import { hourMs } from '@tollgate/kernel/durations';
import { sumMicros } from '@tollgate/kernel/money';
import { periodBounds } from '@tollgate/kernel/period';
import type { Line } from '@tollgate/pricing/line';
import { rateUsage } from '@tollgate/pricing/rate-usage';
import { charges } from '@tollgate/testkit/pricing/usage-arbitraries';
import fc from 'fast-check';
import { splitCharges } from '../../src/fees/fee-splits.ts';
import { feeOn } from '../../src/fees/fee.ts';
import { createReadUsage, type Usage } from '../../src/usage/read-usage.ts';
import type { UsageQuery } from '../../src/usage/usage-query.ts';
import { putTool } from '../support/invoicing-fixture.ts';
import { putRollup } from '../support/put-rollup.ts';
import { putRatedTool, toUsagePart } from '../support/random-prices.ts';
import { useDatabase } from '../support/use-database.ts';

const october = periodBounds('2026-10');
const november = periodBounds('2026-11');
const laterFromMs = october.start + 1_000 * hourMs;
const db = useDatabase();

/** An hour of the two months, often near their edge or where the second version begins. */
const hours = fc
  .oneof(fc.nat(61 * 24 - 1), fc.integer({ min: 31 * 24 - 2, max: 31 * 24 + 2 }), fc.integer({ min: 998, max: 1_002 }))
  .map((hour) => october.start + hour * hourMs);
const price: fc.Arbitrary<Price> = fc.record({
  currency: fc.constant('usd'),
  charges: fc.array(charges, { minLength: 1, maxLength: 3 }),
  bill_failed_calls: fc.boolean(),
});
const rollup = fc.record({
  caller: fc.nat(2), // 0 is the builder itself
  tool: fc.nat(1),
  atMs: hours,
  success: fc.boolean(),
  calls: fc.integer({ min: 1, max: 40 }),
  durationMs: fc.bigInt({ min: 0n, max: 10n ** 12n }),
  measures: fc.nat(600).map((tokens) => ({ tokens: String(tokens) })),
});
/** Two tools of a builder with two price versions each, and what their callers used of them. */
const usage = fc.record({
  prices: fc.tuple(price, price, price, price),
  rollups: fc.uniqueArray(rollup, {
    maxLength: 25,
    selector: ({ caller, tool, atMs, success }) => `${caller} ${tool} ${atMs} ${success}`,
  }),
  cutMs: hours,
});
type RandomUsage = typeof usage extends fc.Arbitrary<infer Value> ? Value : never;

interface World {
  readonly builderId: string;
  /** The builder calls, too. */
  readonly consumerIds: readonly string[];
  readonly lines: readonly Line[];
}

/** Stores the tools and the rollups, and rates them at once. */
async function putWorld({ prices, rollups }: RandomUsage): Promise<World> {
  const builderId = randomUUID();
  const consumerIds = [builderId, randomUUID(), randomUUID()];
  const put = (letter: string, first: Price, second: Price) => {
    const later = [{ from: toIso(laterFromMs), price: second }];
    const tool = { slug: `${letter}-${randomUUID()}`, ownerId: builderId, price: first, later };
    return putRatedTool(tool, (one) => putTool(db.owner, one));
  };
  const tools = [await put('a', prices[0], prices[2]), await put('b', prices[1], prices[3])];
  const parts = [];
  for (const { caller, tool, atMs, ...counts } of rollups) {
    const slug = tools[tool]?.slug ?? '';
    const one = { ...counts, consumerId: consumerIds[caller] ?? '', tool: slug, hour: toIso(atMs) };
    await putRollup(db.owner, one);
    parts.push(toUsagePart(one, tools));
  }
  const versions = tools.flatMap((tool) => tool.versions.map((version) => [version.priceId, version] as const));
  return { builderId, consumerIds, lines: rateUsage(parts, new Map(versions)) };
}

const chargesOf = (lines: readonly Line[]) => sumMicros(lines.map(({ chargeMicros }) => chargeMicros));
const chargeOf = ({ totals }: Usage) => totals.money?.chargeMicros ?? -1n;
const feeOfRows = ({ rows }: Usage) => sumMicros(rows.flatMap(({ money }) => money?.split?.feeMicros ?? []));
const query = (asked: Partial<UsageQuery> & Pick<UsageQuery, 'accountId' | 'role'>): UsageQuery => ({
  fromMs: october.start,
  toMs: november.end,
  groupBy: new Set(),
  ...asked,
});
const granularities = fc.constantFrom(undefined, 'hour' as const, 'day' as const, 'month' as const);
const groupings = fc.subarray(['tool_id', 'consumer_id'] as const);

describe('money of usage in PostgreSQL', () => {
  it('adds up to the lines and their fee exactly, for both sides, wherever the hours are cut', async () => {
    const readUsage = createReadUsage({ database: db.api, scope: 'lifetime' });
    await fc.assert(
      fc.asyncProperty(usage, granularities, groupings, async (random, granularity, by) => {
        const { builderId, consumerIds, lines } = await putWorld(random);
        const rows = { ...(granularity && { granularity }), groupBy: new Set(by) };
        const asBuilder = { accountId: builderId, role: 'builder' as const, ...rows };
        const before = await readUsage(query({ ...asBuilder, toMs: random.cutMs }));
        const after = await readUsage(query({ ...asBuilder, fromMs: random.cutMs }));
        expect(chargeOf(before) + chargeOf(after)).toBe(chargesOf(lines));
        expect(feeOfRows(before) + feeOfRows(after)).toBe(feeOn(chargesOf(lines)));
        for (const accountId of consumerIds) {
          const asConsumer = await readUsage(query({ accountId, role: 'consumer', ...rows }));
          expect(chargeOf(asConsumer)).toBe(chargesOf(lines.filter(({ consumerId }) => consumerId === accountId)));
        }
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  it('with a month of its own for each 1,000 USD has the fee of each month’s lines', async () => {
    const readUsage = createReadUsage({ database: db.api, scope: 'month' });
    await fc.assert(
      fc.asyncProperty(usage, async (random) => {
        const { builderId, lines } = await putWorld(random);
        const { splits } = splitCharges(lines, { scope: 'month', gross: new Map() });
        const asBuilder = { accountId: builderId, role: 'builder' as const };
        const before = await readUsage(query({ ...asBuilder, toMs: random.cutMs }));
        const after = await readUsage(query({ ...asBuilder, fromMs: random.cutMs }));
        expect(feeOfRows(before) + feeOfRows(after)).toBe(sumMicros(splits.map(({ feeMicros }) => feeMicros)));
      }),
      { numRuns: 20 },
    );
  }, 60_000);
});

describe('usage in PostgreSQL', () => {
  /** How many rows the database shows this account, of all that there are. */
  async function visible(view: string, accountId?: string): Promise<number> {
    const account = accountId === undefined ? {} : { accountId };
    return (await db.api.transaction((tx) => tx.query(`select 1 from usage.${view}`), account)).length;
  }

  it('shows each account its calls and those of its tools, and nothing without an account', async () => {
    const [builder, consumer, other] = [randomUUID(), randomUUID(), randomUUID()];
    await putTool(db.owner, {
      slug: 'search',
      ownerId: builder,
      price: { currency: 'usd', charges: [], bill_failed_calls: false },
    });
    for (const [consumerId, tool] of [
      [consumer, 'search'],
      [other, 'search'],
      [other, 'elsewhere'],
    ] as const) {
      await putRollup(db.owner, { consumerId, tool, hour: '2026-11-01T00:00:00Z', measures: { tokens: '1' } });
    }
    for (const view of ['rollup_v1', 'rollup_measure_v1']) {
      const rows = [consumer, other, builder, randomUUID(), undefined].map((account) => visible(view, account));
      expect(await Promise.all(rows)).toEqual([1, 2, 2, 0, 0]);
    }
  });

  it('is counted through nothing before the first record', async () => {
    const readUsage = createReadUsage({ database: db.api, scope: 'lifetime' });
    const none = await readUsage(query({ accountId: randomUUID(), role: 'consumer' }));
    expect(none).toMatchObject({ countedThroughMs: 0, rows: [] });
  });
});
