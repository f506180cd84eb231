import { toIso } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';
import type { FirstEvent } from './judge-repeat.ts';

export interface EventKeyRow {
  readonly consumer_id: string;
  readonly event_id: string;
  readonly body_hash: Uint8Array;
  readonly occurred_at: Date;
}

const findText = `select key.consumer_id, key.event_id, key.body_hash, key.occurred_at
  from unnest($1::uuid[]) as wanted (event_id)
  cross join lateral (select * from usage.event_key_v1 k where k.event_id = wanted.event_id limit 1) as key`;

/**
 * Uses the primary key. An id is made of account and key, so it is enough by itself. The lateral join looks for each id in
 * its own hash partition alone; `= any` would look for all ids in all sixteen partitions.
 */
export function findEventKeys(db: Queryable, eventIds: readonly string[]): Promise<EventKeyRow[]> {
  return db.query<EventKeyRow>({ name: 'usage.find_event_keys', text: findText }, [eventIds]);
}

/** The counted events among these ids. An id that is missing was not counted, or has no key. */
export async function findFirstEvents(
  db: Queryable,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, FirstEvent>> {
  const rows = await findEventKeys(db, eventIds);
  return new Map(rows.map((row) => [row.event_id, fromDbEventKey(row)]));
}

function fromDbEventKey({ body_hash: bodyHash, occurred_at: occurredAt }: EventKeyRow): FirstEvent {
  return { bodyHash: Buffer.from(bodyHash).toString('base64url'), occurredAt: toIso(occurredAt.getTime()) };
}
