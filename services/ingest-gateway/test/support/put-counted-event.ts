import { bodyHashOf } from '@tollgate/contracts/events/event-record';
import { toIso } from '@tollgate/kernel/clock';
import { createEventId, keyedEventId, type EventKey } from '@tollgate/kernel/event-id';
import type { Queryable } from '@tollgate/database/database';

export interface CountedWish {
  readonly consumerId: string;
  readonly toolId: string;
  readonly occurredAtMs: number;
  readonly key?: string;
  /** The id that the gateway would give, if not given. */
  readonly eventId?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly durationMs?: number;
  readonly passId?: string;
}

/** Stores the rows of a counted event, like the aggregator, and returns its id. */
export async function putCountedEvent(owner: Queryable, wish: CountedWish): Promise<string> {
  const { consumerId, toolId, occurredAtMs, key, metadata, durationMs, passId } = wish;
  const occurredAt = toIso(occurredAtMs);
  const newId = async () =>
    key === undefined ? createEventId(occurredAtMs) : keyedIdOf(owner, { accountId: consumerId, key });
  const eventId = wish.eventId ?? (await newId());
  await owner.query('select usage.ensure_day($1)', [occurredAt.slice(0, 10)]);
  await owner.query(
    `insert into usage.event (consumer_id, event_id, tool_id, occurred_at, received_at, success, duration_ms, metadata, idempotency_key, pass_id)
     values ($1, $2, $3, $4, $4, true, $5, $6, $7, $8)`,
    [consumerId, eventId, toolId, occurredAt, durationMs ?? null, metadata ?? null, key ?? null, passId ?? null],
  );
  if (key !== undefined) {
    const hash = Buffer.from(bodyHashOf({ tool_id: toolId, success: true }), 'base64url');
    await owner.query(
      'insert into usage.event_key (event_id, consumer_id, body_hash, occurred_at) values ($1, $2, $3, $4)',
      [eventId, consumerId, hash, occurredAt],
    );
  }
  return eventId;
}

/** The id that the gateway gives to the event with this key. */
export async function keyedIdOf(owner: Queryable, key: EventKey): Promise<string> {
  const [row] = await owner.query<{ secret: string }>('select secret from usage.event_id_secret', []);
  return keyedEventId(row?.secret ?? '', key);
}
