import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { putTools } from '../closing/put-usage.ts';
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
export const factors = [10, 100, 1_000];
/** By factor. A key is known for ever, so keys grow the furthest. */
export const growthIds: Readonly<Record<Dimension, readonly string[]>> = {
  accounts: ['R14a', 'R14b'],
  tools: ['R14c', 'R14d'],
  keys: ['R14e', 'R14f', 'R14g'],
};

/** What an event costs to count when there is ten, a hundred or a thousand times of something, against the small platform. */
export const growthRows: readonly Row[] = dimensions.flatMap((dimension) =>
  growthIds[dimension].map((id, at) => {
    const large = { ...small, [dimension]: small[dimension] * (factors[at] ?? 1) };
    return defineRow({
      id,
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

const keyText = `
insert into usage.event_key (event_id, consumer_id, body_hash, occurred_at)
select gen_random_uuid(), gen_random_uuid(), uuid_send(gen_random_uuid()), now() from generate_series(1, $1)`;

/** More keys than this get their index afterwards: one by one, random keys would change its pages all over. */
const manyKeys = 20_000_000;
const dropIndexText = 'alter table usage.event_key drop constraint event_key_pkey';
const makeIndexText = "set maintenance_work_mem = '1GB'; alter table usage.event_key add primary key (event_id)";

async function fill(ownerUrl: string, { tools, keys }: Platform): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await putTools(owner, { count: tools, metric: { type: 'metadata_sum', key: 'tokens' } });
    if (keys > manyKeys) await owner.query(dropIndexText);
    await owner.query(keyText, [keys]);
    if (keys > manyKeys) await owner.query(makeIndexText);
    await owner.query('vacuum analyze');
  } finally {
    await owner.end();
  }
}
