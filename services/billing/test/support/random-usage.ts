import { randomUUID } from 'node:crypto';
import type { Price } from '@tollgate/contracts/tools/price';
import type { Database } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { hourMs } from '@tollgate/kernel/durations';
import { periodBounds } from '@tollgate/kernel/period';
import type { Line } from '@tollgate/pricing/line';
import { rateUsage } from '@tollgate/pricing/rate-usage';
import { charges } from '@tollgate/testkit/pricing/usage-arbitraries';
import fc from 'fast-check';
import { putTool } from './invoicing-fixture.ts';
import { putRollup } from './put-rollup.ts';
import { putRatedTool, toUsagePart } from './random-prices.ts';

export const october = periodBounds('2026-10');
export const november = periodBounds('2026-11');
const laterFromMs = october.start + 1_000 * hourMs;

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
  pass: fc.nat(2), // 0 is none
  calls: fc.integer({ min: 1, max: 40 }),
  durationMs: fc.bigInt({ min: 0n, max: 10n ** 12n }),
  measures: fc.nat(600).map((tokens) => ({ tokens: String(tokens) })),
});
/** Two tools of a builder with two price versions each, and what their callers used of them. */
export const usage = fc.record({
  prices: fc.tuple(price, price, price, price),
  rollups: fc.uniqueArray(rollup, {
    maxLength: 25,
    selector: ({ caller, tool, atMs, success, pass }) => `${caller} ${tool} ${atMs} ${success} ${pass}`,
  }),
  cutMs: hours,
});
export type RandomUsage = typeof usage extends fc.Arbitrary<infer Value> ? Value : never;

export interface RandomWorld {
  readonly builderId: string;
  /** The builder calls, too. */
  readonly consumerIds: readonly string[];
  /** The passes of all consumers: a pass is only an id here. */
  readonly passIds: readonly string[];
  readonly lines: readonly Line[];
}

/** Stores the tools and the rollups, and rates them at once. */
export async function putWorld(owner: Database, random: RandomUsage): Promise<RandomWorld> {
  const { putRest, ...world } = await putWorldUntil(owner, random, Infinity);
  await putRest();
  return world;
}

/** Stores the tools and only the first `count` rollups; `putRest` stores the others. The lines are of all. */
export async function putWorldUntil(owner: Database, { prices, rollups }: RandomUsage, count: number) {
  const builderId = randomUUID();
  const consumerIds = [builderId, randomUUID(), randomUUID()];
  const passIds = [randomUUID(), randomUUID()];
  const put = (letter: string, first: Price, second: Price) => {
    const later = [{ from: toIso(laterFromMs), price: second }];
    const tool = { slug: `${letter}-${randomUUID()}`, ownerId: builderId, price: first, later };
    return putRatedTool(tool, (one) => putTool(owner, one));
  };
  const tools = [await put('a', prices[0], prices[2]), await put('b', prices[1], prices[3])];
  const used = rollups.map(({ caller, tool, atMs, pass, ...counts }) => ({
    ...counts,
    passId: passIds[pass - 1],
    consumerId: consumerIds[caller] ?? '',
    tool: tools[tool]?.slug ?? '',
    hour: toIso(atMs),
  }));
  for (const rollup of used.slice(0, count)) await putRollup(owner, rollup);
  const versions = tools.flatMap((tool) => tool.versions.map((version) => [version.priceId, version] as const));
  const lines = rateUsage(
    used.map((rollup) => toUsagePart(rollup, tools)),
    new Map(versions),
  );
  const putRest = async (): Promise<void> => {
    for (const rollup of used.slice(count)) await putRollup(owner, rollup);
  };
  return { builderId, consumerIds, passIds, lines, putRest };
}
