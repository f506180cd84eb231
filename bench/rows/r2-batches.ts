import { randomUUID } from 'node:crypto';
import { usageEventsTopic } from '@tollgate/contracts/events/event-record';
import { systemClock, toIso } from '@tollgate/kernel/clock';
import pg from 'pg';
import { eventBody } from '../load/event-body.ts';
import { startStandaloneProduct } from '../products/standalone.ts';
import { startThrowAwayPostgres } from '../products/throw-away-postgres.ts';
import { defineRow, type RowContext, type Side } from '../row.ts';
import { batches, ingestSide } from './ingest-side.ts';

/** Events in batches of 100, against raw inserts of 100 rows with a commit each into the same log table. */
export const batchesRow = defineRow({
  id: 'R2',
  ours: `events per second of POST /v1/events/batch, ${batches.batchEvents} each with key and timestamp, standalone, ${batches.connections} connections, fsync on`,
  ceiling: `rows per second of raw inserts of ${batches.batchEvents} rows and a commit into the log's table, one connection`,
  unit: '/s',
  figure: 'value',
  isHigherBetter: true,
  goal: { of: 'ratio', bound: { atLeast: 0.8 } },
  isComparable: true,
  openOurs: async (context) =>
    ingestSide(await startStandaloneProduct(context), { ...batches, seconds: context.seconds }),
  openCeiling: openRawInserts,
});

const segmentDay = '2026-01-01';
const rawInsert = `
insert into event_log.record_batch (topic, partition, next_offset, record_count, appended_at, payload)
select $1, 0, $2::bigint + n, 1, timestamptz '${segmentDay}T12:00:00Z', $4 from generate_series(1, $3::int) n`;

async function openRawInserts({ seconds }: RowContext): Promise<Side> {
  const postgres = await startThrowAwayPostgres();
  const owner = new pg.Client({ connectionString: postgres.ownerUrl });
  await owner.connect();
  await owner.query('select event_log.ensure_segment($1)', [segmentDay]);
  const record = Buffer.from(eventBody('bench', randomUUID(), toIso(systemClock.now())));
  let nextOffset = 0;
  return {
    processes: [{ name: 'postgres', pid: postgres.pid, isTree: true }],
    async measure() {
      const from = nextOffset;
      const startedMs = systemClock.monotonicMs();
      const elapsedSeconds = (): number => (systemClock.monotonicMs() - startedMs) / 1_000;
      while (elapsedSeconds() < seconds) {
        await owner.query({
          name: 'raw-insert',
          text: rawInsert,
          values: [usageEventsTopic, nextOffset, batches.batchEvents, record],
        });
        nextOffset += batches.batchEvents;
      }
      const events = nextOffset - from;
      return { events, value: events / elapsedSeconds() };
    },
    async close() {
      await owner.end();
      await postgres.stop();
    },
  };
}
