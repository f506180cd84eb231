import type { Queryable } from '@tollgate/database/database';

export interface EventKeyRow {
  readonly consumer_id: string;
  readonly event_id: string;
  readonly body_hash: Uint8Array;
  readonly occurred_at: Date;
}

/**
 * By the primary key; the id holds account and key, so it alone is enough. Id by id, so that each is looked for in the one
 * hash partition that may hold it: `= any` would look for all of them in all sixteen.
 */
export function findEventKeys(db: Queryable, eventIds: readonly string[]): Promise<EventKeyRow[]> {
  const text = `select key.consumer_id, key.event_id, key.body_hash, key.occurred_at
    from unnest($1::uuid[]) as wanted (event_id)
    cross join lateral (select * from usage.event_key_v1 k where k.event_id = wanted.event_id limit 1) as key`;
  return db.query<EventKeyRow>({ name: 'gateway_event_keys', text }, [eventIds]);
}
