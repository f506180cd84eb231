import type { Transaction } from '@tollgate/database/database';
import type { CountableEvent } from './plan-flush.ts';
import type { ArchivedConflict } from './part-archived.ts';
import { toTextArray } from './sql-array-literal.ts';

/**
 * An event with a known key and another body is not counted: it becomes a dead letter. This is a statement of its own,
 * since record_events cannot see a key that was committed while it ran.
 */
const letter = `insert into usage.dead_letter
    (topic, partition, log_offset, code, reason, consumer_id, event_id, tool_id, received_at, stored_at, record)
  select $1, $2, t.log_offset, 'idempotency_conflict',
    'This idempotency_key was first used with another body; that first event is the one that is counted.'`;
const text = `${letter},
    k.consumer_id, event_id, t.tool_id, t.received_at, $3, decode(t.record, 'hex')
  from unnest($4::bigint[], $5::uuid[], $6::text[], $7::text[], $8::timestamptz[], $9::text[])
    as t (log_offset, event_id, body_hash, tool_id, received_at, record)
  join usage.event_key k using (event_id)
  where k.body_hash <> decode(t.body_hash, 'hex')
  on conflict do nothing
  returning log_offset`;

export interface LogPlace {
  readonly topic: string;
  readonly partition: number;
  readonly storedAt: string;
}

/** Returns how many of these keyed events are conflicts. */
export async function putConflicts(
  tx: Transaction,
  place: LogPlace,
  keyed: readonly CountableEvent[],
): Promise<number> {
  const rows = await tx.query({ name: 'usage.put_conflicts', text }, [
    place.topic,
    place.partition,
    place.storedAt,
    keyed.map(({ offset }) => offset),
    keyed.map(({ event }) => event.event_id),
    keyed.map(({ event }) => Buffer.from(event.body_hash ?? '', 'base64url').toString('hex')),
    toTextArray(keyed.map(({ event }) => event.tool_id)),
    keyed.map(({ event }) => event.received_at),
    keyed.map(({ bytes }) => Buffer.from(bytes).toString('hex')),
  ]);
  return rows.length;
}

const archivedText = `${letter},
    t.consumer_id, t.event_id, t.tool_id, t.received_at, $3, decode(t.record, 'hex')
  from unnest($4::bigint[], $5::uuid[], $6::uuid[], $7::text[], $8::timestamptz[], $9::text[])
    as t (log_offset, consumer_id, event_id, tool_id, received_at, record)
  on conflict do nothing`;

/** Likewise for events whose keys are in an archive, which has been compared with them. */
export async function putArchivedConflicts(
  tx: Transaction,
  place: LogPlace,
  conflicts: readonly ArchivedConflict[],
): Promise<void> {
  await tx.query({ name: 'usage.put_archived_conflicts', text: archivedText }, [
    place.topic,
    place.partition,
    place.storedAt,
    conflicts.map(({ offset }) => offset),
    conflicts.map(({ first }) => first.consumerId),
    conflicts.map(({ first }) => first.eventId),
    toTextArray(conflicts.map(({ event }) => event.tool_id)),
    conflicts.map(({ event }) => event.received_at),
    conflicts.map(({ bytes }) => Buffer.from(bytes).toString('hex')),
  ]);
}
