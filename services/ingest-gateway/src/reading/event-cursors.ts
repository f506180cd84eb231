import { isUuid } from '@tollgate/kernel/uuid';
import { decodeCursor } from '@tollgate/runtime/http/cursor';
import { z } from 'zod';
import type { DeadLetter, DeadLetterFilter } from '../dead-letters/dead-letters.ts';
import type { CountedEvent, EventFilter, RefusedEvent, RefusedFilter } from '../ports.ts';

// What is in a cursor reaches SQL as parameters; the bounds keep PostgreSQL from meeting what it cannot read.
const timeMs = z.int().min(-62_135_596_800_000).max(253_402_300_799_999); // the years 1 to 9999
const eventCursor = z.tuple([timeMs, z.string().refine(isUuid)]);
const offset = z.string().regex(/^\d{1,18}$/);
const deadLetterCursor = z.tuple([timeMs, z.string().regex(/^[a-z0-9._-]{1,100}$/), z.int().min(0).max(1_024), offset]);
const refusedCursor = z.tuple([timeMs, z.int().min(0).max(1_024), offset]);

export function toEventCursor({ occurredAtMs, eventId }: CountedEvent): readonly unknown[] {
  return [occurredAtMs, eventId];
}

export function fromEventCursor(text: string): NonNullable<EventFilter['after']> {
  const [occurredAtMs, eventId] = decodeCursor(text, eventCursor);
  return { occurredAtMs, eventId };
}

export function toRefusedCursor({ receivedAtMs, place }: RefusedEvent): readonly unknown[] {
  return [receivedAtMs, place.partition, place.offset];
}

export function fromRefusedCursor(text: string): NonNullable<RefusedFilter['after']> {
  const [receivedAtMs, partition, offset] = decodeCursor(text, refusedCursor);
  return { receivedAtMs, place: { partition, offset } };
}

export function toDeadLetterCursor({ storedAtMs, place }: DeadLetter): readonly unknown[] {
  return [storedAtMs, place.topic, place.partition, place.offset.toString()];
}

export function fromDeadLetterCursor(text: string): NonNullable<DeadLetterFilter['after']> {
  const [storedAtMs, topic, partition, logOffset] = decodeCursor(text, deadLetterCursor);
  return { storedAtMs, topic, partition, offset: BigInt(logOffset) };
}
