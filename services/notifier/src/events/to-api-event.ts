import { toIso } from '@tollgate/kernel/clock';
import type { StoredEvent } from './sql-event.ts';

export function toApiEvent({ eventId, type, happenedAtMs, data }: StoredEvent) {
  return { id: eventId, type, timestamp: toIso(happenedAtMs), data };
}
