import { toIso } from '@tollgate/kernel/clock';
import type { Metadata } from '@tollgate/contracts/forms/metadata';
import { onlyRow, type Transaction } from '@tollgate/database/database';

export interface KeyedEvent {
  readonly event_id: string;
  readonly consumer_id: string;
  readonly tool_id: string;
  readonly occurred_at: Date;
  readonly success: boolean;
  readonly duration_ms: bigint | null;
  readonly metadata: Metadata | null;
  /** The row of its key. Null if there is none. */
  readonly key_consumer_id: string | null;
  readonly key_occurred_at: Date | null;
  readonly body_hash: Uint8Array | null;
}

export interface KeyedEventsQuery {
  readonly sinceMs: number;
  readonly untilMs: number;
  /** The consumer. Undefined: all. */
  readonly accountId: string | undefined;
  /** The event before the first. */
  readonly after: { readonly consumerId: string; readonly occurredAtMs: number; readonly eventId: string };
  readonly limit: number;
}

/** The key of each is looked up by itself: a join might read the keys of all time. */
const text = `
select e.*, k.consumer_id as key_consumer_id, k.occurred_at as key_occurred_at, k.body_hash
from (
  select event_id, consumer_id, tool_id, occurred_at, success, duration_ms, metadata from usage.event_v1
  where occurred_at >= $1 and occurred_at < $2 and idempotency_key is not null and ($3::uuid is null or consumer_id = $3)
    and (consumer_id, occurred_at, event_id) > ($4::uuid, $5::timestamptz, $6::uuid)
  order by consumer_id, occurred_at, event_id limit $7
) e left join lateral (
  select consumer_id, occurred_at, body_hash from usage.event_key_v1 where event_id = e.event_id limit 1
) k on true
order by e.consumer_id, e.occurred_at, e.event_id`;

/** Reads the next events that have a key, each with the row of its key. */
export async function readKeyedEvents(tx: Transaction, query: KeyedEventsQuery): Promise<KeyedEvent[]> {
  const { sinceMs, untilMs, accountId, after, limit } = query;
  const place = [after.consumerId, toIso(after.occurredAtMs), after.eventId];
  return tx.query<KeyedEvent & object>(text, [toIso(sinceMs), toIso(untilMs), accountId ?? null, ...place, limit]);
}

const archivedText = `select coalesce(max(older_than), 'epoch') as before from usage.key_archive_v1`;

/** The time before which keys may be in an archive, and no more in the table. */
export async function readArchivedBeforeMs(tx: Transaction): Promise<number> {
  return onlyRow(await tx.query<{ before: Date }>(archivedText)).before.getTime();
}
