import { toIso } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';
import type { CountedKeys } from '../ports.ts';
import { findEventKeys } from './sql-find-event-keys.ts';

/** The keys that were counted, for ever, as the aggregator publishes them. */
export function createPgCountedKeys(database: Queryable): CountedKeys {
  return {
    async find(eventIds) {
      const rows = await findEventKeys(database, eventIds);
      return new Map(
        rows.map((row) => [
          row.event_id,
          { bodyHash: Buffer.from(row.body_hash).toString('base64url'), occurredAt: toIso(row.occurred_at.getTime()) },
        ]),
      );
    },
  };
}
