import { isUuid } from '@tollgate/kernel/uuid';
import { decodeCursor } from '@tollgate/runtime/http/lists/cursor';
import { z } from 'zod';
import type { ApiKey } from './sql-api-key.ts';

export interface ApiKeyPlace {
  readonly createdAt: number;
  readonly keyId: string;
}

// We give out no time beyond the year 9999, and PostgreSQL may refuse later times.
const latestMs = 253_402_300_799_999;
const placeSchema = z.tuple([z.int().min(0).max(latestMs), z.string().refine(isUuid)]);

export function toApiKeyCursor({ createdAt, keyId }: ApiKey): readonly unknown[] {
  return [createdAt, keyId];
}

/** Throws `invalid_request` for a cursor that we did not give out. */
export function fromApiKeyCursor(cursor: string): ApiKeyPlace {
  const [createdAt, keyId] = decodeCursor('api_keys', cursor, placeSchema);
  return { createdAt, keyId };
}
