import { isUuid } from '@tollgate/kernel/uuid';
import { decodeCursor } from '@tollgate/runtime/http/lists/cursor';
import { z } from 'zod';
import type { CountedEvent, EventFilter, RefusedEvent, RefusedFilter } from './counted-event.ts';

// The values of a cursor become SQL parameters. The bounds keep them within the types of PostgreSQL.
const timeMs = z.int().min(-62_135_596_800_000).max(253_402_300_799_999); // the years 1 to 9999
const eventCursor = z.tuple([timeMs, z.string().refine(isUuid)]);
const refusedCursor = z.tuple([timeMs, z.int().min(0).max(1_024), z.string().regex(/^\d{1,18}$/)]);

export function toEventCursor({ occurredAtMs, eventId }: CountedEvent): readonly unknown[] {
  return [occurredAtMs, eventId];
}

export function fromEventCursor(text: string): NonNullable<EventFilter['after']> {
  const [occurredAtMs, eventId] = decodeCursor('events', text, eventCursor);
  return { occurredAtMs, eventId };
}

export function toRefusedCursor({ receivedAtMs, place }: RefusedEvent): readonly unknown[] {
  return [receivedAtMs, place.partition, place.offset];
}

export function fromRefusedCursor(text: string): NonNullable<RefusedFilter['after']> {
  const [receivedAtMs, partition, offset] = decodeCursor('refused_events', text, refusedCursor);
  return { receivedAtMs, place: { partition, offset } };
}
