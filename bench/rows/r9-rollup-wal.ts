import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { defineRow } from '../row.ts';
import { openStore, type StorePlan } from '../store/open-store.ts';
import { storeSide, type StoreSide } from './r4-store.ts';

const keys = { consumers: 100, tools: 20 };
const flushes = 5;
const times = 10;

/** Rollups are written in proportion to keys, not to events: ten times the events of the same keys cost no more of them. */
export const rollupWalRow = defineRow({
  id: 'R9',
  ours: `WAL bytes of rollups and their indexes, ${flushes} flushes of ${times} events per (consumer, tool) of ${keys.consumers * keys.tools}`,
  ceiling: 'the same with one event per (consumer, tool)',
  unit: 'bytes',
  figure: 'value',
  isHigherBetter: false,
  goal: { of: 'ratio', bound: { atMost: 1.05 } },
  isComparable: true,
  isUnmovedByOthers: true,
  async openOurs(context) {
    const store = await openStore(context);
    const consumers = Array.from({ length: keys.consumers }, () => randomUUID());
    return walSide(storeSide(store, planOf(consumers, times)), consumers);
  },
  openCeiling: async (_context, { store, consumers }) => {
    const side = await walSide(storeSide(store, planOf(consumers, 1)), consumers);
    return { ...side, close: side.closeReader }; // the store belongs to ours
  },
});

function planOf(consumers: readonly string[], eventsPerKey: number): StorePlan {
  const flushEvents = keys.consumers * keys.tools * eventsPerKey;
  return { consumers, tools: keys.tools, failEvery: 0, flushEvents, partitions: 1, events: flushes * flushEvents };
}

interface WalSide extends StoreSide {
  readonly consumers: readonly string[];
  closeReader(): Promise<void>;
}

// A record that touches two blocks stands there twice. Images of whole pages follow checkpoints, not events.
const walText = `
select coalesce(sum(bytes), 0)::float8 as bytes from (
  select distinct on (b.start_lsn) b.record_length - sum(b.block_fpi_length) over (partition by b.start_lsn) as bytes
  from pg_get_wal_block_info($1, $2, false) b join pg_class c on c.relfilenode = b.relfilenode
  where c.relnamespace = 'usage'::regnamespace and c.relname like 'rollup%'
) as record`;

async function walSide(side: StoreSide, consumers: readonly string[]): Promise<WalSide> {
  const reader = new pg.Client({ connectionString: side.store.statementsUrl });
  await reader.connect();
  await reader.query('create extension if not exists pg_walinspect');
  return {
    ...side,
    consumers,
    async measure() {
      const from = await readEnd(reader);
      const { events } = await side.measure();
      const { rows } = await reader.query<{ bytes: number }>(walText, [from, await readEnd(reader)]);
      return { events, value: rows[0]?.bytes ?? Number.NaN };
    },
    closeReader: () => reader.end(),
    async close() {
      await reader.end();
      await side.close();
    },
  };
}

async function readEnd(reader: pg.Client): Promise<string> {
  const { rows } = await reader.query<{ lsn: string }>('select pg_current_wal_insert_lsn()::text as lsn');
  return rows[0]?.lsn ?? '';
}
