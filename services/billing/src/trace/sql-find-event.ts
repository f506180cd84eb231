import { toIso } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';
import type { TracedEvent } from './trace.ts';

const columns = 'consumer_id, event_id, tool_id, occurred_at, received_at, success, duration_ms, metadata, pass_id';

export interface EventPlace {
  readonly consumerId: string;
  readonly occurredAtMs: number;
}

const keyText = `select consumer_id, occurred_at from usage.event_key_v1 where event_id = $1::uuid`;

/** Finds where the event of a derived id lies, or lay. Keys are kept for ever. */
export async function findKeyedPlace(db: Queryable, eventId: string): Promise<EventPlace | undefined> {
  const [row] = await db.query<{ consumer_id: string; occurred_at: Date }>(keyText, [eventId]);
  return row && { consumerId: row.consumer_id, occurredAtMs: row.occurred_at.getTime() };
}

/** Finds an event by the primary key. */
const atText = `select ${columns} from usage.event_v1
where consumer_id = $2::uuid and occurred_at = $3::timestamptz and event_id = $1::uuid`;

/** Reads the event at this place. Undefined if its day is no longer kept, or the reader may not see it. */
export async function findEventAt(
  db: Queryable,
  eventId: string,
  { consumerId, occurredAtMs }: EventPlace,
): Promise<TracedEvent | undefined> {
  const [row] = await db.query<DbEvent>(atText, [eventId, consumerId, toIso(occurredAtMs)]);
  return row && fromDbEvent(row);
}

/**
 * Finds an event by the index of events without a key, in the few days in which an event received at this time can lie.
 * The time is a number, since an id may contain times that PostgreSQL cannot read as ISO text.
 */
const receivedAtText = `select ${columns} from usage.event_v1
where event_id = $1::uuid and idempotency_key is null
  and occurred_at between to_timestamp($2::float8 / 1000) - interval '25 hours'
                      and to_timestamp($2::float8 / 1000) + interval '1 hour'`;

/** Finds an event without a key, whose id contains the time of its receipt. */
export async function findEventReceivedAt(
  db: Queryable,
  eventId: string,
  receivedAtMs: number,
): Promise<TracedEvent | undefined> {
  const [row] = await db.query<DbEvent>(receivedAtText, [eventId, receivedAtMs]);
  return row && fromDbEvent(row);
}

const keptSinceText = `select kept_since from usage.kept_since_v1`;

/** Reads the time before which events are no longer kept. Undefined if no events are kept. */
export async function readKeptSince(db: Queryable): Promise<number | undefined> {
  const [row] = await db.query<{ kept_since: Date | null }>(keptSinceText);
  return row?.kept_since?.getTime();
}

interface DbEvent {
  readonly consumer_id: string;
  readonly event_id: string;
  readonly tool_id: string;
  readonly occurred_at: Date;
  readonly received_at: Date;
  readonly success: boolean;
  readonly duration_ms: bigint | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly pass_id: string | null;
}

function fromDbEvent(row: DbEvent): TracedEvent {
  return {
    eventId: row.event_id,
    consumerId: row.consumer_id,
    toolId: row.tool_id,
    occurredAtMs: row.occurred_at.getTime(),
    receivedAtMs: row.received_at.getTime(),
    success: row.success,
    durationMs: row.duration_ms,
    metadata: row.metadata ?? {},
    passId: row.pass_id,
  };
}
