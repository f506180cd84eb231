import type { Queryable } from '@tollgate/runtime/postgres/database';

export interface EventKeyRow {
  readonly consumer_id: string;
  readonly event_id: string;
  readonly body_hash: Uint8Array;
  readonly occurred_at: Date;
}

/** By the primary key of the hash partitions; the id holds account and key, so it alone is enough. */
export function findEventKeys(db: Queryable, eventIds: readonly string[]): Promise<EventKeyRow[]> {
  const text = `select consumer_id, event_id, body_hash, occurred_at from usage.event_key_v1
    where event_id = any ($1::uuid[])`;
  return db.query<EventKeyRow>({ name: 'gateway_event_keys', text }, [eventIds]);
}
