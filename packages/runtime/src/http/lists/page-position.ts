import { isUuid } from '@tollgate/kernel/uuid';
import { z } from 'zod';
import { decodeCursor } from './cursor.ts';

/** Where the page before ended, in a list by (created_at, id). */
export interface PagePosition {
  readonly createdAtMs: number;
  readonly id: string;
}

/** PostgreSQL may refuse times after the year 9999, and no row of ours has such a time. */
const timeSchema = z.int().min(0).max(253_402_300_799_999);
const uuidSchema = z.string().refine(isUuid);

/** Throws 400 for a cursor that this list did not give out. */
export function pagePosition(
  list: string,
  cursor: string | undefined,
  idSchema: z.ZodType<string> = uuidSchema,
): PageStart {
  if (cursor === undefined) return {};
  const [createdAtMs, id] = decodeCursor(list, cursor, z.tuple([timeSchema, idSchema]));
  return { after: { createdAtMs, id } };
}

export interface PageStart {
  /** Left out: the list begins. */
  readonly after?: PagePosition;
}
