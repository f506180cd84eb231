import type { Charge, Price, PriceMetric, PriceModel } from '@tollgate/contracts/tools/price';
import type { SeededRandom } from '@tollgate/testkit/seeded-random';
import type { RatedPrice } from '@tollgate/pricing/rated-price';
import type { CountedUsage } from '@tollgate/pricing/counted-usage';
import type { TestTool } from './invoicing-fixture.ts';
import type { TestRollup } from './put-rollup.ts';

export interface RandomTool {
  readonly slug: string;
  readonly ownerId: string;
  readonly versions: readonly RatedPrice[];
}

export interface ToolsToMake {
  readonly slugs: readonly string[];
  readonly builders: readonly [string, ...string[]];
  readonly unitPricesUsd: readonly [string, ...string[]];
  /** The months in which a second price version may begin, as '2024-01'. */
  readonly changesIn: readonly [string, ...string[]];
  readonly putTool: (tool: TestTool) => Promise<string[]>;
}

/** Tools with random prices of every model, each with a second version that begins in some month. */
export async function makeRandomTools(random: SeededRandom, wanted: ToolsToMake): Promise<RandomTool[]> {
  const tools: RandomTool[] = [];
  for (const slug of wanted.slugs) {
    const ownerId = random.pick(wanted.builders);
    const from = `${random.pick(wanted.changesIn)}-${random.integer(10, 28)}T07:00:00Z`;
    const later = [{ from, price: makePrice(random, wanted) }];
    const price = makePrice(random, wanted);
    tools.push(await putRatedTool({ slug, ownerId, price, later }, wanted.putTool));
  }
  return tools;
}

/** A tool in the database, with its versions as rating takes them. */
export async function putRatedTool(tool: TestTool, putTool: ToolsToMake['putTool']): Promise<RandomTool> {
  const { slug, ownerId, price, later = [] } = tool;
  const ids = await putTool(tool);
  const versions = [{ from: null, price }, ...later].map((version, index) => ({
    priceId: ids[index] ?? '',
    toolId: slug,
    builderId: ownerId,
    effectiveFromMs: version.from === null ? null : Date.parse(version.from),
    price: version.price,
  }));
  return { slug, ownerId, versions };
}

function makePrice(random: SeededRandom, wanted: ToolsToMake): Price {
  const charges = Array.from({ length: random.integer(1, 2) }, () => makeCharge(random, wanted));
  return { currency: 'usd', charges, bill_failed_calls: random.chance(0.3) };
}

function makeCharge(random: SeededRandom, { unitPricesUsd }: ToolsToMake): Charge {
  const unit = () => random.pick(unitPricesUsd);
  const tiers = [
    { up_to: String(random.integer(1, 300)), unit_price_usd: unit(), flat_price_usd: random.pick(['0', '0.0000015']) },
    { up_to: null, unit_price_usd: unit(), flat_price_usd: '0' },
  ];
  return {
    name: random.pick([null, 'calls']),
    metric: random.pick<PriceMetric>([
      { type: 'calls' },
      { type: 'duration_ms' },
      { type: 'metadata_sum', key: 'tokens' },
    ]),
    model: random.pick<PriceModel>([
      { type: 'per_unit', unit_price_usd: unit() },
      { type: 'graduated', tiers },
      { type: 'volume', tiers },
      { type: 'package', size: '7.5', package_price_usd: unit() },
    ]),
    free_quantity: random.pick(['0', '0', '10.25']),
  };
}

/** Returns the counted usage as rating sees it: with the price that was in force then. */
export function toUsagePart(rollup: TestRollup, tools: readonly RandomTool[]): CountedUsage {
  const at = Date.parse(rollup.hour);
  const versions = tools.find(({ slug }) => slug === rollup.tool)?.versions ?? [];
  const inForce = versions.findLast(({ effectiveFromMs }) => effectiveFromMs === null || effectiveFromMs <= at);
  return {
    period: rollup.hour.slice(0, 7),
    consumerId: rollup.consumerId,
    priceId: inForce?.priceId ?? '',
    success: rollup.success ?? true,
    calls: BigInt(rollup.calls ?? 1),
    durationMs: rollup.durationMs ?? 0n,
    measures: new Map(Object.entries(rollup.measures ?? {})),
  };
}
