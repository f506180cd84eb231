import { randomUUID } from 'node:crypto';
import { bodyHashOf } from '@tollgate/contracts/events/event-record';
import { toIso } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import { periodBounds } from '@tollgate/kernel/period';
import { nilUuid } from '@tollgate/kernel/uuid';
import type { Database } from '@tollgate/database/database';
import { differingRows, type ReconcileScope, type ReconcileStep } from './reconciliation.ts';
import { readArchivedBeforeMs, readKeyedEvents, type KeyedEvent, type KeyedEventsQuery } from './sql-compare-events.ts';

const sampleOfDay = 200;
const pageEvents = 5_000;

/**
 * Compares the kept events of a period that have an idempotency key with the rows of their keys: there is one, of the same
 * account and time, with the hash of the body. By default a sample of each day, with all keys every event.
 */
export async function reconcileKeys(database: Database, scope: ReconcileScope): Promise<ReconcileStep> {
  const archivedBeforeMs = await database.transaction(readArchivedBeforeMs);
  const sums = { events: 0n, keys: 0n, archived: 0, rows: [] as string[] };
  for await (const event of scope.withAllKeys ? allEvents(database, scope) : sampledEvents(database, scope)) {
    const isArchived = event.body_hash === null && event.occurred_at.getTime() < archivedBeforeMs;
    sums.events += 1n;
    sums.keys += BigInt(event.body_hash !== null || isArchived);
    sums.archived += Number(isArchived);
    if (!isArchived) sums.rows.push(...differencesOf(event));
  }
  const events = scope.withAllKeys ? 'kept events with a key' : `kept events with a key, ${sampleOfDay} of each day`;
  return {
    name: 'events_keys',
    unit: 'calls',
    left: { what: events, count: sums.events, sum: String(sums.events) },
    right: { what: 'their keys', count: sums.keys, sum: String(sums.keys) },
    ...differingRows(sums.rows),
    note:
      sums.archived === 0 ? null : `${sums.archived} keys are in an archive; tollgate operator keys verify reads it.`,
  };
}

function differencesOf(event: KeyedEvent): string[] {
  const name = `event ${event.event_id} of ${event.consumer_id}`;
  if (event.body_hash === null) return [`${name}: its key was removed`];
  const { tool_id, success, duration_ms, metadata } = event;
  const hash = bodyHashOf({
    tool_id,
    success,
    ...(duration_ms !== null && { duration_ms: Number(duration_ms) }),
    ...(metadata !== null && { metadata }),
  });
  const keyMs = event.key_occurred_at?.getTime() ?? 0;
  return [
    ...(event.key_consumer_id === event.consumer_id ? [] : [`${name}: its key is of ${event.key_consumer_id}`]),
    ...(keyMs === event.occurred_at.getTime() ? [] : [`${name}: its key is of ${toIso(keyMs)}`]),
    ...(Buffer.from(event.body_hash).toString('base64url') === hash
      ? []
      : [`${name}: its key has the hash of another body`]),
  ];
}

async function* allEvents(database: Database, scope: ReconcileScope): AsyncGenerator<KeyedEvent> {
  for (const day of daysOf(scope)) {
    let after: KeyedEventsQuery['after'] = before(nilUuid);
    for (let size = pageEvents; size === pageEvents;) {
      const query = { ...day, after, limit: pageEvents };
      const page = await database.transaction((tx) => readKeyedEvents(tx, query));
      yield* page;
      const last = page.at(-1);
      if (last)
        after = { consumerId: last.consumer_id, occurredAtMs: last.occurred_at.getTime(), eventId: last.event_id };
      size = page.length;
    }
  }
}

/** Some events of each day, from a random consumer on. If they end before, the rest comes from the first one on. */
async function* sampledEvents(database: Database, scope: ReconcileScope): AsyncGenerator<KeyedEvent> {
  for (const day of daysOf(scope)) {
    const start = randomUUID();
    const query = { ...day, limit: sampleOfDay };
    const upper = await database.transaction((tx) => readKeyedEvents(tx, { ...query, after: before(start) }));
    yield* upper;
    if (upper.length === sampleOfDay) continue;
    const limit = sampleOfDay - upper.length;
    const lower = await database.transaction((tx) => readKeyedEvents(tx, { ...query, limit, after: before(nilUuid) }));
    yield* lower.filter(({ consumer_id: consumerId }) => consumerId < start);
  }
}

function before(consumerId: string): KeyedEventsQuery['after'] {
  return { consumerId, occurredAtMs: 0, eventId: nilUuid };
}

function daysOf({ period, accountId }: ReconcileScope) {
  const { start, end } = periodBounds(period);
  return Array.from({ length: (end - start) / dayMs }, (_, index) => {
    const sinceMs = start + index * dayMs;
    return { accountId, sinceMs, untilMs: sinceMs + dayMs };
  });
}
