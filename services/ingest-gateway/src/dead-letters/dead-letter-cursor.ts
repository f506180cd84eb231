import { decodeCursor } from '@tollgate/runtime/http/lists/cursor';
import { z } from 'zod';
import type { DeadLetter, DeadLetterFilter } from './dead-letter.ts';

// The values of a cursor become SQL parameters. The bounds keep them within the types of PostgreSQL.
const deadLetterCursor = z.tuple([
  z.int().min(-62_135_596_800_000).max(253_402_300_799_999), // the years 1 to 9999
  z.string().regex(/^[a-z0-9._-]{1,100}$/),
  z.int().min(0).max(1_024),
  z.string().regex(/^\d{1,18}$/),
]);

export function toDeadLetterCursor({ storedAtMs, place }: DeadLetter): readonly unknown[] {
  return [storedAtMs, place.topic, place.partition, place.offset.toString()];
}

export function fromDeadLetterCursor(text: string): NonNullable<DeadLetterFilter['after']> {
  const [storedAtMs, topic, partition, logOffset] = decodeCursor('dead_letters', text, deadLetterCursor);
  return { storedAtMs, topic, partition, offset: BigInt(logOffset) };
}
