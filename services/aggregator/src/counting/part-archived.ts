import type { ArchivedKey } from '@tollgate/key-archive/archive-format';
import type { CountableEvent, Flush } from './plan-flush.ts';

export interface ArchivedConflict extends CountableEvent {
  /** The key of the event that is counted. */
  readonly first: ArchivedKey;
}

export interface PartedByArchive {
  /** The part of the flush that the database has to judge. */
  readonly flush: Flush;
  /** How many events were counted before, with the same body. */
  readonly repeats: number;
  readonly conflicts: readonly ArchivedConflict[];
}

/** Parts the events whose keys are archived from those that the table of keys decides on. */
export function partArchived(flush: Flush, archived: ReadonlyMap<string, ArchivedKey>): PartedByArchive {
  if (archived.size === 0) return { flush, repeats: 0, conflicts: [] };
  let repeats = 0;
  const conflicts: ArchivedConflict[] = [];
  const isUnknown = (countable: CountableEvent): boolean => {
    const first = archived.get(countable.event.event_id);
    if (first === undefined) return true;
    if (first.bodyHash === countable.event.body_hash) repeats += 1;
    else conflicts.push({ ...countable, first });
    return false;
  };
  const [events, others] = [flush.events.filter(isUnknown), flush.repeats.filter(isUnknown)];
  return { flush: { ...flush, events, repeats: others }, repeats, conflicts };
}
