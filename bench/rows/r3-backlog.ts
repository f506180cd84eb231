import { usageEventsTopic } from '@tollgate/contracts/events/event-record';
import { systemClock } from '@tollgate/kernel/clock';
import { startServiceProcess, type ServiceProcess } from '@tollgate/testkit/service-process';
import pg from 'pg';
import { startThrowAwayPostgres } from '../products/throw-away-postgres.ts';
import { readProgress } from '../products/standalone.ts';
import { untilCounted } from '../products/until-counted.ts';
import { defineRow, type RowContext, type Side } from '../row.ts';
import { appendBacklog } from '../store/log-backlog.ts';
import { openStore } from '../store/open-store.ts';
import { planOf, storeSide } from './r4-store.ts';

const eventsDefault = 5_000_000;
const ceilingEvents = 250_000;

/** The aggregator as a process of its own drains a backlog of the log, against R4's statements fed from memory. */
export const backlogRow = defineRow({
  id: 'R3',
  ours: `events per second that the aggregator counts from a backlog of ${eventsDefault} in the log, all guarantees on`,
  ceiling: 'events per second of the same statements fed from memory, as R4 measures them',
  unit: '/s',
  figure: 'value',
  isHigherBetter: true,
  goal: { of: 'ratio', bound: { atLeast: 0.8 } },
  isComparable: false,
  fullSize: { events: eventsDefault },
  openOurs: (context) => openDrain(context.sizes.events ?? eventsDefault, context),
  openCeiling: async (context) =>
    storeSide(await openStore(context), planOf({ ...context, sizes: { events: ceilingEvents } })),
});

const forgetText = `
truncate usage.event, usage.event_key, usage.rollup, usage.rollup_measure;
update usage.cursor set next_offset = 0, counted_through = '-infinity' where topic = '${usageEventsTopic}'`;

async function openDrain(events: number, { progress }: RowContext): Promise<Side> {
  const postgres = await startThrowAwayPostgres();
  const owner = new pg.Client({ connectionString: postgres.ownerUrl });
  let aggregator: ServiceProcess | undefined;

  async function close(): Promise<void> {
    await aggregator?.destroy();
    await owner.end();
    await postgres.stop();
  }

  try {
    await owner.connect();
    progress(`appending a backlog of ${events} events`);
    await appendBacklog(postgres, events);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    get processes() {
      const server = { name: 'postgres', pid: postgres.pid, isTree: true };
      return aggregator === undefined ? [server] : [{ name: 'aggregator', pid: aggregator.pid }, server];
    },
    async prepare() {
      await aggregator?.destroy();
      aggregator = undefined;
      await owner.query(forgetText);
      await checkpoint(postgres.urlFor('postgres'));
    },
    async measure() {
      aggregator = await startAggregator(postgres.urlFor('aggregator_worker'));
      const startedMs = systemClock.monotonicMs();
      const before = await readProgress(owner);
      const { counted } = await untilCounted({ progress: () => readProgress(owner) });
      const seconds = (systemClock.monotonicMs() - startedMs) / 1_000;
      if (counted !== BigInt(events)) throw new Error(`${counted} of ${events} events were counted`);
      return { events, value: Number(counted - before.counted) / seconds };
    },
    close,
  };
}

/** Writes a checkpoint, so that the next round does not pay for the writes of the one before. */
async function checkpoint(superuserUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query('checkpoint');
  await client.end();
}

function startAggregator(url: string): Promise<ServiceProcess> {
  return startServiceProcess('aggregator', { DATABASE_WORKER_URL: url, EVENT_LOG: 'postgres', LOG_LEVEL: 'info' });
}
