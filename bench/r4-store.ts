import { randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { bodyHashOf, usageEventsTopic, type UsageEventRecord } from '@tollgate/contracts/event-record';
import { systemClock, toIso } from '@tollgate/kernel/clock';
import { createEventId, keyedEventId } from '@tollgate/kernel/event-id';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase } from '@tollgate/database/database';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { createDayTables } from '../services/aggregator/src/retention/day-tables.ts';
import { createPgUsageStore } from '../services/aggregator/src/counting/pg-usage-store.ts';
import { measureRatio, timed } from './measure.ts';
import { withThrowAwayPostgres } from './throw-away-postgres.ts';

const eventsPerRound = 250_000;
const batchEvents = 5_000;

/** Stored, deduplicated and rolled up per second, against COPY of the same rows into the same table on one connection. */
export async function benchStore(): Promise<void> {
  await withThrowAwayPostgres(async (postgres) => {
    const log = createLogger({ name: 'bench', level: 'warn' });
    const database = createDatabase({
      url: postgres.urlFor('aggregator_worker'),
      name: 'bench',
      log,
      statementTimeoutMs: 60_000,
    });
    const dayTables = createDayTables(database);
    const store = createPgUsageStore({ database, ensureDays: dayTables.ensure, clock: systemClock });
    await store.registerPartitions(usageEventsTopic, 1);
    const owner = new pg.Client({ connectionString: postgres.ownerUrl });
    await owner.connect();
    const accounts = Array.from({ length: 300 }, () => randomUUID());
    let offset = 0n;

    await measureRatio({
      id: 'R4',
      ours: `events/s stored, deduplicated and rolled up, flushes of ${batchEvents}, half of them with a key`,
      ceiling: 'rows/s of COPY of the same rows into the same table, one connection',
      goal: 0.5,
      async runCeiling() {
        const rows = toCopyText(makeEvents(accounts));
        await dayTables.ensure([toIso(systemClock.now()).slice(0, 10)]);
        const seconds = await timed(async () =>
          pipeline(Readable.from([rows]), owner.query(copyFrom('copy usage.event from stdin'))),
        );
        return { items: eventsPerRound, seconds };
      },
      async runOurs() {
        const events = makeEvents(accounts);
        const seconds = await timed(async () => {
          for (let at = 0; at < events.length; at += batchEvents) {
            const batch = events
              .slice(at, at + batchEvents)
              .map((event, index) => ({ offset: BigInt(index), event, bytes: Buffer.alloc(0) }));
            const nextOffset = offset + BigInt(batchEvents);
            const place = { topic: usageEventsTopic, partition: 0, expectedOffset: offset, nextOffset };
            await store.commit(
              { ...place, lastReceivedAt: undefined, events: batch, repeats: [], undecodable: [] },
              undefined,
            );
            offset = nextOffset;
          }
        });
        return { items: eventsPerRound, seconds };
      },
    });
    await owner.end();
    await database.stop();
  });
}

function makeEvents(accounts: readonly string[]): UsageEventRecord[] {
  const now = systemClock.now();
  return Array.from({ length: eventsPerRound }, (_, index) => {
    const consumer = accounts[index % accounts.length] ?? '';
    const key = index % 2 === 0 ? randomUUID() : undefined;
    const event = {
      v: 1 as const,
      event_id: key === undefined ? createEventId(now) : keyedEventId(consumer, key),
      consumer_id: consumer,
      tool_id: `tool-${index % 20}`,
      occurred_at: toIso(now - (index % 3_000)),
      received_at: toIso(now),
      success: index % 50 > 0,
      duration_ms: index % 1_000,
      metadata: { model: 'large', tokens: index % 4_096 },
    };
    return key === undefined ? event : { ...event, idempotency_key: key, body_hash: bodyHashOf(event) };
  });
}

function toCopyText(events: readonly UsageEventRecord[]): string {
  const lines = events.map((event) =>
    [
      event.consumer_id,
      event.event_id,
      event.tool_id,
      event.occurred_at,
      event.received_at,
      event.success,
      event.duration_ms,
      JSON.stringify(event.metadata),
      event.idempotency_key ?? '\\N',
    ].join('\t'),
  );
  return `${lines.join('\n')}\n`;
}
