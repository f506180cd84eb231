import type { Queryable } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import type { KeyArchives } from '@tollgate/key-archive/key-archives';
import type { LookUpsDeps } from './look-ups.ts';
import { findFirstEvents as findInTable } from './sql-event-key.ts';

/** Finds counted events by their ids: in the key table, and what is not there in the archives of old keys. */
export function createFindFirstEvents(
  db: Queryable,
  archives: Pick<KeyArchives, 'known' | 'find'>,
): LookUpsDeps['findFirstEvents'] {
  return async function findFirstEvents(eventIds) {
    const found = await findInTable(db, eventIds);
    if (archives.known() === 0) return found;
    const archived = await archives.find(eventIds.filter((eventId) => !found.has(eventId)));
    const old = [...archived].map(([eventId, { bodyHash, occurredAtMs }]) => {
      return [eventId, { bodyHash, occurredAt: toIso(occurredAtMs) }] as const;
    });
    return new Map([...found, ...old]);
  };
}
