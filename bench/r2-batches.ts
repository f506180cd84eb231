import { randomUUID } from 'node:crypto';
import { usageEventsTopic } from '@tollgate/contracts/event-record';
import pg from 'pg';
import { measureRatio, timed } from './measure.ts';
import { withProduct } from './product-under-load.ts';
import { withThrowAwayPostgres } from './throw-away-postgres.ts';
import { runWrk } from './wrk.ts';

const batchEvents = 100;
const connections = 16;
const seconds = 5;
const ceilingBatches = 3_000;

/** Events a second in batches of 100, against raw inserts of 100 rows with a commit each into the same log table. */
export async function benchBatches(): Promise<void> {
  await withThrowAwayPostgres(async (postgres) => {
    const owner = new pg.Client({ connectionString: postgres.ownerUrl });
    await owner.connect();
    await owner.query("select event_log.ensure_segment('2026-01-01')");
    await withProduct(async ({ baseUrl, keys, toolId }) => {
      const event = {
        tool_id: toolId,
        duration_ms: 120,
        metadata: { model: 'large', region: 'eu-central-1', tokens: 1284 },
      };
      const body = JSON.stringify({ events: Array.from({ length: batchEvents }, () => event) });
      let nextOffset = 0;
      await measureRatio({
        id: 'R2',
        ours: `events/s of POST /v1/events/batch, ${batchEvents} each, ${connections} connections, fsync on`,
        ceiling: `rows/s of raw inserts of ${batchEvents} rows and a commit into the log's table, one connection`,
        goal: 0.8,
        async runCeiling() {
          const record = Buffer.from(
            JSON.stringify({
              v: 1,
              event_id: randomUUID(),
              consumer_id: randomUUID(),
              occurred_at: '2026-01-01T00:00:00.000Z',
              received_at: '2026-01-01T00:00:00.000Z',
              success: true,
              ...event,
            }),
          );
          const elapsed = await timed(async () => {
            for (let at = 0; at < ceilingBatches; at += 1) {
              await owner.query(rawInsert, [usageEventsTopic, nextOffset, batchEvents, record]);
              nextOffset += batchEvents;
            }
          });
          return { items: ceilingBatches * batchEvents, seconds: elapsed };
        },
        async runOurs() {
          const result = await runWrk({ url: `${baseUrl}/v1/events/batch`, tokens: keys, body, connections, seconds });
          if (result.failures > 0)
            throw new Error(`${result.failures} of ${result.answers} answers were no 2xx; the figure would be void`);
          return { items: result.answers * batchEvents, seconds: result.seconds };
        },
      });
    });
    await owner.end();
  });
}

const rawInsert = `insert into event_log.record_batch (topic, partition, next_offset, record_count, appended_at, payload)
  select $1, 0, $2::bigint + n, 1, '2026-01-01T12:00:00Z', $4 from generate_series(1, $3::int) n`;
