import { isUuid } from '@tollgate/kernel/uuid';
import { decodeCursor } from '@tollgate/runtime/http/cursor';
import { z } from 'zod';
import type { ApiKey } from '../ports.ts';

export interface ApiKeyPlace {
  readonly createdAt: number;
  readonly keyId: string;
}

// Whatever is later than the year 9999 is no time of ours, and PostgreSQL may not know it.
const latestMs = 253_402_300_799_999;
const placeSchema = z.tuple([z.int().min(0).max(latestMs), z.string().refine(isUuid)]);

export function toApiKeyCursor({ createdAt, keyId }: ApiKey): readonly unknown[] {
  return [createdAt, keyId];
}

/** Throws 400 for what we did not give out. */
export function fromApiKeyCursor(cursor: string): ApiKeyPlace {
  const [createdAt, keyId] = decodeCursor(cursor, placeSchema);
  return { createdAt, keyId };
}
