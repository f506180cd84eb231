import { toIso } from '@tollgate/kernel/clock';
import type { Transaction } from '@tollgate/database/database';
import { eventColumns, type EventRow } from './sql-event-row.ts';

export interface EventPlace {
  readonly consumerId: string;
  readonly eventId: string;
  readonly occurredAt: Date;
}

/** By the primary key: for events with a key, whose place the key table knows. */
export function findEventAt(tx: Transaction, { consumerId, eventId, occurredAt }: EventPlace): Promise<EventRow[]> {
  const text = `select ${eventColumns} from usage.event_v1
    where consumer_id = $1::uuid and occurred_at = $2::timestamptz and event_id = $3::uuid`;
  return tx.query<EventRow>({ name: 'gateway_event_at', text }, [consumerId, toIso(occurredAt.getTime()), eventId]);
}

/**
 * By the index of events without a key, in the few days that an event received at this time can lie in. As a number: an
 * id may name any time up to the year 10889, which PostgreSQL knows but does not read as ISO text.
 */
export function findEventReceivedAt(tx: Transaction, eventId: string, receivedAtMs: number): Promise<EventRow[]> {
  const text = `select ${eventColumns} from usage.event_v1
    where event_id = $1::uuid and idempotency_key is null
      and occurred_at between to_timestamp($2::float8 / 1000) - interval '25 hours'
                          and to_timestamp($2::float8 / 1000) + interval '1 hour'`;
  return tx.query<EventRow>({ name: 'gateway_event_received_at', text }, [eventId, receivedAtMs]);
}
