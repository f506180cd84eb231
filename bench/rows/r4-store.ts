import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { systemClock, toIso } from '@tollgate/kernel/clock';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { defineRow, type RowContext, type Side } from '../row.ts';
import { copyEventsText, makeEvents, toCopyText } from '../store/make-events.ts';
import { openStore, type Store, type StorePlan } from '../store/open-store.ts';

const eventsDefault = 100_000;
const flushEvents = 5_000;

/** Stored, deduplicated and rolled up, against COPY of the same rows into the same table on one connection. */
export const storeRow = defineRow({
  id: 'R4',
  ours: `events per second stored, deduplicated and rolled up, flushes of ${flushEvents} of four partitions at once, half of them with a key`,
  ceiling: 'rows per second of COPY of the same rows into the same table, one connection',
  unit: '/s',
  figure: 'value',
  isHigherBetter: true,
  goal: { of: 'ratio', bound: { atLeast: 0.5 } },
  isComparable: true,
  openOurs: async (context) => storeSide(await openStore(context), planOf(context)),
  openCeiling: openCopy,
});

export interface StoreSide extends Side {
  readonly store: Store;
}

export function planOf({ sizes }: RowContext): StorePlan {
  return {
    events: sizes.events ?? eventsDefault,
    consumers: Array.from({ length: 300 }, () => randomUUID()),
    tools: 20,
    failEvery: 50,
    flushEvents,
    partitions: 4,
  };
}

/** Each round stores new events, made beforehand, in one process that only stores. */
export function storeSide(store: Store, plan: StorePlan): StoreSide {
  const { processes, close } = store;
  return {
    store,
    processes,
    prepare: () => store.make(plan),
    async measure() {
      const before = await readBytes(store.ownerUrl);
      const value = plan.events / (await store.store(plan));
      const after = await readBytes(store.ownerUrl);
      const perEvent = (kind: keyof typeof before): number => (after[kind] - before[kind]) / plan.events;
      return { events: plan.events, value, bytesPerEvent: { wal: perEvent('wal'), tables: perEvent('tables') } };
    },
    close,
  };
}

const bytesText = `
select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as wal,
  (select sum(pg_total_relation_size(oid)) from pg_class where relnamespace = 'usage'::regnamespace and relkind = 'r')::float8 as tables`;

async function readBytes(ownerUrl: string): Promise<{ readonly wal: number; readonly tables: number }> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  const { rows } = await owner.query<{ wal: number; tables: number }>(bytesText);
  await owner.end();
  return rows[0] ?? { wal: Number.NaN, tables: Number.NaN };
}

async function openCopy(context: RowContext, { store }: StoreSide): Promise<Side> {
  const plan = planOf(context);
  const owner = new pg.Client({ connectionString: store.ownerUrl });
  await owner.connect();
  let rows = '';
  return {
    processes: store.processes.filter(({ name }) => name === 'postgres'),
    async prepare() {
      await store.ensureDays([toIso(systemClock.now()).slice(0, 10)]);
      rows = toCopyText(makeEvents({ ...plan, nowMs: systemClock.now() }));
    },
    async measure() {
      const startedMs = systemClock.monotonicMs();
      await pipeline(Readable.from([rows]), owner.query(copyFrom(copyEventsText)));
      return { events: plan.events, value: (plan.events / (systemClock.monotonicMs() - startedMs)) * 1_000 };
    },
    close: () => owner.end(),
  };
}
