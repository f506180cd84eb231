import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { measuresOf, type Price } from '@tollgate/contracts/price';
import { hourMs } from '@tollgate/kernel/durations';
import { toIso } from '@tollgate/kernel/clock';
import { sumMicros } from '@tollgate/kernel/money';
import { periodBounds, periodOf } from '@tollgate/kernel/period';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase, type Database } from '@tollgate/database/database';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import fc from 'fast-check';
import { splitCharges } from '../../src/fees/fee-splits.ts';
import { feeOn } from '../../src/fees/fee.ts';
import { priceInForce } from '@tollgate/pricing/price-in-force';
import type { RatedPrice } from '@tollgate/pricing/rated-price';
import { rateUsage } from '@tollgate/pricing/rate-usage';
import type { CountedUsage } from '@tollgate/pricing/counted-usage';
import type { UsageQuery } from '../../src/usage/usage-query.ts';
import { putRollup, type TestRollup } from '../support/put-rollup.ts';
import { charges } from '@tollgate/testkit/pricing/usage-arbitraries';
import { createReadUsage, type Usage } from '../../src/usage/read-usage.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const october = periodBounds('2026-10');
const november = periodBounds('2026-11');

let test: TestDatabase;
let owner: Database;
let api: Database;

beforeAll(async () => {
  test = await testDatabase();
  owner = createDatabase({ url: test.ownerUrl, name: 'owner', log });
  api = createDatabase({ url: test.urlFor('billing_api'), name: 'api', log });
});

afterAll(async () => {
  await api.stop();
  await owner.stop();
  await test.drop();
});

/** An hour of the two months, often near their edge or where the second version begins. */
const hours = fc
  .oneof(fc.nat(61 * 24 - 1), fc.integer({ min: 31 * 24 - 2, max: 31 * 24 + 2 }), fc.integer({ min: 998, max: 1_002 }))
  .map((hour) => october.start + hour * hourMs);
const laterFromMs = october.start + 1_000 * hourMs;
const price: fc.Arbitrary<Price> = fc.record({
  currency: fc.constant('usd'),
  charges: fc.array(charges, { minLength: 1, maxLength: 3 }),
  bill_failed_calls: fc.boolean(),
});
interface Call {
  readonly caller: number;
  readonly tool: number;
  readonly hourMs: number;
  readonly success: boolean;
  readonly calls: number;
  readonly durationMs: bigint;
  readonly tokens: number;
}

const call: fc.Arbitrary<Call> = fc.record({
  caller: fc.nat(2), // 0 is the builder itself
  tool: fc.nat(1),
  hourMs: hours,
  success: fc.boolean(),
  calls: fc.integer({ min: 1, max: 40 }),
  durationMs: fc.bigInt({ min: 0n, max: 10n ** 12n }),
  tokens: fc.nat(600),
});
const calls = fc.uniqueArray(call, {
  maxLength: 25,
  selector: ({ caller, tool, hourMs: at, success }) => `${caller} ${tool} ${at} ${success}`,
});

interface World {
  readonly builderId: string;
  readonly consumerIds: readonly string[];
  readonly tools: readonly string[];
  readonly versions: readonly RatedPrice[];
  readonly parts: readonly CountedUsage[];
}

/** Writes the tools with two versions each and the rollups; answers them as rating takes them. */
async function putWorld(prices: readonly Price[], made: readonly Call[]): Promise<World> {
  const builderId = randomUUID();
  const consumerIds = [builderId, randomUUID(), randomUUID()];
  const tools = [`a-${randomUUID()}`, `b-${randomUUID()}`];
  const versions = prices.map((one, index): RatedPrice => ({
    priceId: randomUUID(),
    toolId: tools[index % 2] ?? '',
    builderId,
    effectiveFromMs: index < 2 ? null : laterFromMs,
    price: one,
  }));
  for (const slug of tools) {
    const values = [slug, builderId];
    await owner.query(
      `insert into billing.tool (tool_id, owner_id, name, created_at) values ($1, $2, $1, '2020-01-01Z')`,
      values,
    );
  }
  for (const { priceId, toolId, effectiveFromMs, price: one } of versions) {
    const from = effectiveFromMs === null ? null : toIso(effectiveFromMs);
    await owner.query(
      `insert into billing.tool_price (price_id, tool_id, effective_from, price, measures, created_at)
       values ($1, $2, $3, $4, $5, '2020-01-01Z')`,
      [priceId, toolId, from, JSON.stringify(one), measuresOf(one)],
    );
  }
  const world = { builderId, consumerIds, tools, versions };
  const parts: CountedUsage[] = [];
  for (const one of made) {
    const rollup: TestRollup = {
      consumerId: consumerIds[one.caller] ?? '',
      tool: tools[one.tool] ?? '',
      hour: toIso(one.hourMs),
      success: one.success,
      calls: one.calls,
      durationMs: one.durationMs,
      measures: { tokens: String(one.tokens) },
    };
    await putRollup(owner, rollup);
    parts.push(toPart(rollup, versions));
  }
  return { ...world, parts };
}

function toPart(rollup: TestRollup, versions: readonly RatedPrice[]): CountedUsage {
  const { consumerId, tool, hour, success = true, calls: count = 0, durationMs = 0n, measures = {} } = rollup;
  const inForce = priceInForce(
    versions.filter(({ toolId }) => toolId === tool),
    Date.parse(hour),
  );
  return {
    period: periodOf(Date.parse(hour)),
    consumerId,
    priceId: inForce?.priceId ?? '',
    success,
    calls: BigInt(count),
    durationMs,
    measures: new Map(Object.entries(measures)),
  };
}

const linesOf = ({ versions, parts }: World) => rateUsage(parts, new Map(versions.map((one) => [one.priceId, one])));
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
const prices = fc.array(price, { minLength: 4, maxLength: 4 });

describe('money of usage in PostgreSQL', () => {
  it('adds up to the lines and their fee exactly, for both sides, wherever the hours are cut', async () => {
    const readUsage = createReadUsage({ database: api, scope: 'lifetime' });
    await fc.assert(
      fc.asyncProperty(
        prices,
        calls,
        hours,
        granularities,
        groupings,
        async (ofTools, made, cutMs, granularity, by) => {
          const world = await putWorld(ofTools, made);
          const lines = linesOf(world);
          const whole = sumMicros(lines.map(({ chargeMicros }) => chargeMicros));
          const rows = { ...(granularity && { granularity }), groupBy: new Set(by) };
          const asBuilder = { accountId: world.builderId, role: 'builder' as const, ...rows };
          const halves = [
            await readUsage(query({ ...asBuilder, toMs: cutMs })),
            await readUsage(query({ ...asBuilder, fromMs: cutMs })),
          ];
          expect(sumMicros(halves.flatMap(({ totals }) => totals.money?.chargeMicros ?? []))).toBe(whole);
          expect(sumMicros(halves.map(feeOfRows))).toBe(feeOn(whole));
          for (const consumerId of world.consumerIds.slice(1)) {
            const own = lines.filter((line) => line.consumerId === consumerId);
            const asConsumer = await readUsage(query({ accountId: consumerId, role: 'consumer', ...rows }));
            expect(chargeOf(asConsumer)).toBe(sumMicros(own.map(({ chargeMicros }) => chargeMicros)));
          }
        },
      ),
      { numRuns: 40 },
    );
  }, 60_000);

  it('with a month of its own for each 1,000 USD has the fee of each month’s lines', async () => {
    const readUsage = createReadUsage({ database: api, scope: 'month' });
    await fc.assert(
      fc.asyncProperty(prices, calls, hours, async (ofTools, made, cutMs) => {
        const world = await putWorld(ofTools, made);
        const { splits } = splitCharges(linesOf(world), { scope: 'month', gross: new Map() });
        const asBuilder = { accountId: world.builderId, role: 'builder' as const };
        const halves = [
          await readUsage(query({ ...asBuilder, toMs: cutMs })),
          await readUsage(query({ ...asBuilder, fromMs: cutMs })),
        ];
        expect(sumMicros(halves.map(feeOfRows))).toBe(sumMicros(splits.map(({ feeMicros }) => feeMicros)));
      }),
      { numRuns: 20 },
    );
  }, 60_000);
});
