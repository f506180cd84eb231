import { systemClock, toIso } from '@tollgate/kernel/clock';
import pg from 'pg';
import { defineRow, type RowContext, type Side } from '../row.ts';
import { openStore, type Store } from '../store/open-store.ts';
import { planOf, storeSide } from './r4-store.ts';

const storedDefault = 100_000_000;
const chunkEvents = 500_000;
const days = 30;
const dayMs = 86_400_000;

/** Storing on tables that hold a hundred million events already, against the same on tables that are emptied first. */
export const fullTablesRow = defineRow({
  id: 'R5',
  ours: `events per second stored, deduplicated and rolled up with ${storedDefault} events stored before, over ${days} days, half of them with a key`,
  ceiling: 'the same on empty tables',
  unit: '/s',
  figure: 'value',
  isHigherBetter: true,
  goal: { of: 'ratio', bound: { atLeast: 0.7 } },
  isComparable: false,
  fullSize: { events: storedDefault },
  async openOurs(context) {
    const store = await openStore(context);
    try {
      await fill(store, context);
    } catch (error) {
      await store.close();
      throw error;
    }
    return storeSide(store, planOf({ ...context, sizes: {} }));
  },
  openCeiling: openEmpty,
});

async function openEmpty(context: RowContext): Promise<Side> {
  const store = await openStore(context);
  const side = storeSide(store, planOf({ ...context, sizes: {} }));
  const owner = new pg.Client({ connectionString: store.ownerUrl });
  await owner.connect();
  return {
    ...side,
    async prepare() {
      await owner.query('truncate usage.event, usage.event_key, usage.rollup, usage.rollup_measure');
      await side.prepare?.();
    },
    async close() {
      await owner.end();
      await side.close();
    },
  };
}

const eventsText = `
with made as materialized (
  select md5('consumer' || n % 300)::uuid as consumer_id, gen_random_uuid() as event_id, 'tool-' || n % 20 as tool_id,
    $3::timestamptz + random() * interval '1 day' as occurred_at, n % 2 = 0 as is_keyed
  from generate_series($1::bigint, $2::bigint) n
), keyed as (
  insert into usage.event_key (event_id, consumer_id, body_hash, occurred_at)
  select event_id, consumer_id, substring(uuid_send(gen_random_uuid()) for 16), occurred_at from made where is_keyed
)
insert into usage.event (consumer_id, event_id, tool_id, occurred_at, received_at, success, duration_ms, metadata, idempotency_key)
select consumer_id, event_id, tool_id, occurred_at, occurred_at, true, 120,
  '{"model": "large", "region": "eu-central-1", "tokens": 1284}', case when is_keyed then event_id::text end
from made`;

/** By statements rather than by the store, which would take hours: the rows and their indexes are the same. */
async function fill(store: Store, { sizes, progress }: RowContext): Promise<void> {
  const stored = sizes.events ?? storedDefault;
  const owner = new pg.Client({ connectionString: store.ownerUrl });
  await owner.connect();
  const chunks = Math.ceil(stored / chunkEvents);
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    const age = 1 + Math.floor((chunk / chunks) * days);
    const date = toIso(systemClock.now() - age * dayMs).slice(0, 10);
    await store.ensureDays([date]);
    const first = chunk * chunkEvents;
    await owner.query(eventsText, [first, Math.min(stored, first + chunkEvents) - 1, `${date}T00:00:00Z`]);
    if (chunk % 10 === 9) progress(`${Math.min(stored, first + chunkEvents)} of ${stored} events are stored`);
  }
  await owner.query('vacuum analyze');
  await owner.end();
}
