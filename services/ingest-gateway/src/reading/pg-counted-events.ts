import type { Database, Queryable } from '@tollgate/database/database';
import type { CountedEvent, CountedEvents } from '../ports.ts';
import { fromEventRow, type EventRow } from './sql-event-row.ts';
import { findEventKeys } from '../replies/sql-find-event-keys.ts';
import { findEventAt, findEventReceivedAt } from './sql-find-event.ts';
import { listEvents } from './sql-list-events.ts';
import { listRefusedEvents, type RefusedRow } from './sql-list-refused-events.ts';
import { readWatermark } from './sql-read-watermark.ts';

export interface PgCountedEventsDeps {
  /** The read pool, as a role under row-level policies: what it hands out, the account may see. */
  readonly api: Database;
  /** Finds where a keyed event lies; a builder's policies hide the key table. */
  readonly worker: Queryable;
}

/** Counted events in PostgreSQL, through the aggregator's published views. */
export function createPgCountedEvents({ api, worker }: PgCountedEventsDeps): CountedEvents {
  async function find(accountId: string, eventId: string): Promise<CountedEvent | undefined> {
    const read = await readerOf(eventId);
    const [row] = read === undefined ? [] : await api.transaction(read, { accountId });
    return row && fromEventRow(row);
  }

  /** An id tells how it was made: version 8 from a key, version 7 from the time of receipt. */
  async function readerOf(eventId: string) {
    const version = eventId.charAt(14);
    if (version === '7')
      return (tx: Parameters<typeof findEventAt>[0]) => findEventReceivedAt(tx, eventId, timeOf(eventId));
    const [key] = version === '8' ? await findEventKeys(worker, [eventId]) : [];
    if (key === undefined) return undefined;
    const place = { consumerId: key.consumer_id, eventId, occurredAt: key.occurred_at };
    return (tx: Parameters<typeof findEventAt>[0]): Promise<EventRow[]> => findEventAt(tx, place);
  }

  return {
    find,
    async list(accountId, filter) {
      const rows = await api.transaction((tx) => listEvents(tx, accountId, filter), { accountId });
      return rows.map(fromEventRow);
    },
    async listRefused(accountId, filter) {
      const rows = await api.transaction((tx) => listRefusedEvents(tx, accountId, filter), { accountId });
      return rows.map(fromRefusedRow);
    },
    countedThroughMs: () => readWatermark(api),
  };
}

/** UUIDv7 begins with 48 bits of milliseconds: at most the year 10889. */
function timeOf(eventId: string): number {
  return Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16);
}

function fromRefusedRow(row: RefusedRow) {
  return {
    eventId: row.event_id,
    toolId: row.tool_id,
    receivedAtMs: row.received_at.getTime(),
    code: row.code,
    detail: row.detail,
    place: { partition: row.partition, offset: row.log_offset.toString() },
  };
}
