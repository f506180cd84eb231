import type { Transaction } from '@tollgate/database/database';
import type { CountableEvent } from './plan-flush.ts';
import type { LogPlace } from './sql-put-conflicts.ts';
import { toTextArray } from './sql-array-literal.ts';

const text = `insert into usage.dead_letter
    (topic, partition, log_offset, code, reason, consumer_id, event_id, tool_id, received_at, stored_at, record)
  select $1, $2, t.log_offset, 'authorization_not_open',
    'This event came into the log after its money had been freed. It was never acknowledged.',
    t.consumer_id, t.event_id, t.tool_id, t.received_at, $3, decode(t.record, 'hex')
  from unnest($4::bigint[], $5::uuid[], $6::uuid[], $7::text[], $8::timestamptz[], $9::text[])
    as t (log_offset, consumer_id, event_id, tool_id, received_at, record)
  where not exists (select from usage.event_key k where k.event_id = t.event_id) -- a repeat of a counted event is none
  on conflict do nothing`;

/** Keeps events that must not count any more, each with its place in the log. */
export async function putFreed(tx: Transaction, place: LogPlace, freed: readonly CountableEvent[]): Promise<void> {
  if (freed.length === 0) return;
  await tx.query({ name: 'usage.put_freed', text }, [
    place.topic,
    place.partition,
    place.storedAt,
    freed.map(({ offset }) => offset),
    freed.map(({ event }) => event.consumer_id),
    freed.map(({ event }) => event.event_id),
    toTextArray(freed.map(({ event }) => event.tool_id)),
    freed.map(({ event }) => event.received_at),
    freed.map(({ bytes }) => Buffer.from(bytes).toString('hex')),
  ]);
}
