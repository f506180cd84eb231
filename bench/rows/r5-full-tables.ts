import { systemClock, toIso } from '@tollgate/kernel/clock';
import pg from 'pg';
import { defineRow, type RowContext, type Side } from '../row.ts';
import { openStore, type Store } from '../store/open-store.ts';
import { planOf, storeSide } from './r4-store.ts';

const storedDefault = 100_000_000;
const chunkEvents = 250_000;
/** Connections that fill at once. */
const fillers = 2;

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

/**
 * $1 and $2: the first and last event of the chunk. $3: its day. $4: which of $5 equal parts of all ids its keyed events
 * have. Ids of keys are hashes, anywhere in the index. A part per chunk ends in the same index, but fuller; the rounds
 * pay for its splits. Ids anywhere in each chunk would write the whole index again after each checkpoint.
 */
const eventsText = `
with drawn as materialized (
  select md5('consumer' || n % 300)::uuid as consumer_id, 'tool-' || n % 20 as tool_id, n % 2 = 0 as is_keyed,
    $3::timestamptz + random() * interval '1 day' as occurred_at
  from generate_series($1::bigint, $2::bigint) n
), made as materialized (
  select *, case when is_keyed
      then (lpad(to_hex(floor(($4::int + random()) / $5::int * 4294967296)::bigint), 8, '0') || substr(gen_random_uuid()::text, 9))::uuid
      else uuidv7(occurred_at - clock_timestamp()) end as event_id
  from drawn
), keyed as (
  insert into usage.event_key (event_id, consumer_id, body_hash, occurred_at)
  select event_id, consumer_id, substring(uuid_send(gen_random_uuid()) for 16), occurred_at from made where is_keyed order by 1
)
insert into usage.event (consumer_id, event_id, tool_id, occurred_at, received_at, success, duration_ms, metadata, idempotency_key)
select consumer_id, event_id, tool_id, occurred_at, occurred_at, true, 120,
  '{"model": "large", "region": "eu-central-1", "tokens": 1284}', case when is_keyed then event_id::text end
from made order by consumer_id, occurred_at`;

/** Fills by statements rather than by the store, which would take hours: the rows and their indexes are the same. */
async function fill(store: Store, { sizes, progress }: RowContext): Promise<void> {
  const stored = sizes.events ?? storedDefault;
  const chunks = Math.ceil(stored / chunkEvents);
  const dates = Array.from({ length: chunks }, (_, chunk) => {
    const age = 1 + Math.floor((chunk / chunks) * days);
    return toIso(systemClock.now() - age * dayMs).slice(0, 10);
  });
  await store.ensureDays([...new Set(dates)]);
  const left = dates.entries();
  let done = 0;

  async function fillChunks(): Promise<void> {
    const owner = new pg.Client({ connectionString: store.ownerUrl });
    await owner.connect();
    for (const [chunk, date] of left) {
      const first = chunk * chunkEvents;
      const last = Math.min(stored, first + chunkEvents) - 1;
      await owner.query(eventsText, [first, last, `${date}T00:00:00Z`, chunk, chunks]);
      done += 1;
      if (done % 20 === 0) progress(`${Math.min(stored, done * chunkEvents)} of ${stored} events are stored`);
    }
    await owner.end();
  }

  await Promise.all(Array.from({ length: fillers }, fillChunks));
  const owner = new pg.Client({ connectionString: store.ownerUrl });
  await owner.connect();
  await owner.query('vacuum analyze');
  await owner.end();
}
