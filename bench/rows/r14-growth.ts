import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { defineRow, type Row, type RowContext } from '../row.ts';
import { openStore, type StorePlan } from '../store/open-store.ts';
import { planOf, storeSide, type StoreSide } from './r4-store.ts';

/** What a platform has more of when it grows. */
interface Platform {
  readonly accounts: number;
  readonly tools: number;
  /** Idempotency keys that were counted before. */
  readonly keys: number;
}

export type Dimension = keyof Platform;

const small: Platform = { accounts: 300, tools: 20, keys: 100_000 };
export const dimensions: readonly Dimension[] = ['accounts', 'tools', 'keys'];
export const factors = [10, 100];
const ids: Record<Dimension, readonly string[]> = {
  accounts: ['R14a', 'R14b'],
  tools: ['R14c', 'R14d'],
  keys: ['R14e', 'R14f'],
};

export function growthId(dimension: Dimension, factor: number): string {
  return ids[dimension][factors.indexOf(factor)] ?? '';
}

/** What an event costs to count when there is ten or a hundred times of something, against the small platform. */
export const growthRows: readonly Row[] = dimensions.flatMap((dimension) =>
  factors.map((factor) => {
    const large = { ...small, [dimension]: small[dimension] * factor };
    return defineRow({
      id: growthId(dimension, factor),
      family: 'R14',
      ours: `CPU per event stored, deduplicated and rolled up with ${large[dimension]} ${dimension}, every tool with a measure`,
      ceiling: `the same with ${small[dimension]} ${dimension}`,
      unit: 'µs',
      figure: 'cpu',
      isHigherBetter: false,
      goal: { of: 'ratio', bound: { atMost: 1.2 } },
      isComparable: false,
      openOurs: (context) => openPlatform(context, large),
      openCeiling: (context) => openPlatform(context, small),
    });
  }),
);

async function openPlatform(context: RowContext, platform: Platform): Promise<StoreSide> {
  const store = await openStore(context);
  try {
    await fill(store.ownerUrl, platform);
  } catch (error) {
    await store.close();
    throw error;
  }
  return storeSide(store, planFor(context, platform));
}

/** The events of a round go round all accounts and all tools. */
function planFor(context: RowContext, { accounts, tools }: Platform): StorePlan {
  return { ...planOf(context), consumers: Array.from({ length: accounts }, () => randomUUID()), tools };
}

const toolText = `
insert into billing.tool (tool_id, owner_id, name, created_at)
select 'tool-' || n, md5('builder' || n % 20)::uuid, 'Tool ' || n, '2020-01-01Z' from generate_series(0, $1 - 1) n`;
const priceText = `
insert into billing.tool_price (price_id, tool_id, price, measures, created_at)
select md5('price' || n)::uuid, 'tool-' || n, $2, '{tokens}', '2020-01-01Z' from generate_series(0, $1 - 1) n`;
const keyText = `
insert into usage.event_key (event_id, consumer_id, body_hash, occurred_at)
select gen_random_uuid(), gen_random_uuid(), uuid_send(gen_random_uuid()), now() from generate_series(1, $1)`;

async function fill(ownerUrl: string, { tools, keys }: Platform): Promise<void> {
  const model = { type: 'per_unit', unit_price_usd: '0.002' };
  const charges = [{ name: null, metric: { type: 'metadata_sum', key: 'tokens' }, model, free_quantity: '0' }];
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await owner.query(toolText, [tools]);
    await owner.query(priceText, [tools, JSON.stringify({ currency: 'usd', bill_failed_calls: false, charges })]);
    await owner.query(keyText, [keys]);
    await owner.query('vacuum analyze');
  } finally {
    await owner.end();
  }
}
