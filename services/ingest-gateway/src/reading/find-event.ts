import type { Database, Queryable, Transaction } from '@tollgate/database/database';
import { findEventKeys } from '../keys/sql-event-key.ts';
import type { CountedEvent } from './counted-event.ts';
import { findEventAt, findEventReceivedAt } from './sql-event.ts';

export interface FindEventDeps {
  /** Its role is bound by row-level policies: the account sees every row that comes back. */
  readonly api: Database;
  /** Finds the place of an event with a key; row-level policies hide the key table from a tool's builder. */
  readonly worker: Queryable;
}

export type FindEvent = (accountId: string, eventId: string) => Promise<CountedEvent | undefined>;

type ReadEvent = (tx: Transaction) => Promise<CountedEvent | undefined>;

/** Finds a counted event that the account may see. Rejects with `unavailable` while PostgreSQL is away. */
export function createFindEvent({ api, worker }: FindEventDeps): FindEvent {
  return async function findEvent(accountId, eventId) {
    const read = await readerOf(eventId);
    return read && api.transaction(read, { accountId });
  };

  /** The id's version shows its origin: version 8 comes from a key, version 7 from the time of receipt. */
  async function readerOf(eventId: string): Promise<ReadEvent | undefined> {
    const version = eventId.charAt(14);
    if (version === '7') return (tx) => findEventReceivedAt(tx, { eventId, receivedAtMs: timeOf(eventId) });
    const [key] = version === '8' ? await findEventKeys(worker, [eventId]) : [];
    if (key === undefined) return undefined;
    return (tx) => findEventAt(tx, { consumerId: key.consumer_id, eventId, occurredAt: key.occurred_at });
  }
}

/** A UUIDv7 begins with 48 bits of milliseconds: at most the year 10889. */
function timeOf(eventId: string): number {
  return Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16);
}
