import { randomUUID } from 'node:crypto';
import { encodeUsageEvent, usageEventsTopic } from '@tollgate/contracts/events/event-record';
import type { EmbeddedPostgres } from '@tollgate/database/embedded/start-embedded-postgres';
import { createPostgresEventLog } from '@tollgate/event-log/postgres';
import { systemClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { makeEvents } from './make-events.ts';

const appendRecords = 2_000;
const makeEventsMax = 100_000;

/** Appends so many events to the log of the cluster, as gateways do, while nobody counts. */
export async function appendBacklog(postgres: EmbeddedPostgres, events: number): Promise<void> {
  const log = createPostgresEventLog({
    appendUrl: postgres.urlFor('ingest_gateway_worker'),
    readUrl: postgres.urlFor('aggregator_worker'),
    topics: { [usageEventsTopic]: undefined }, // as many partitions as the product gives a new log
    clock: systemClock,
    log: createLogger({ name: 'bench', level: 'warn' }),
  });
  const consumers = Array.from({ length: 300 }, () => randomUUID());
  await log.start();
  try {
    for (let left = events; left > 0; left -= makeEventsMax) {
      const plan = { consumers, tools: 20, failEvery: 50, nowMs: systemClock.now() };
      const made = makeEvents({ ...plan, events: Math.min(left, makeEventsMax) });
      const records = made.map((event) => encodeUsageEvent(event));
      for (let at = 0; at < records.length; at += appendRecords)
        await log.append(usageEventsTopic, records.slice(at, at + appendRecords));
    }
  } finally {
    await log.stop();
  }
}
