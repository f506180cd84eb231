import { decodeCursor } from '@tollgate/runtime/http/lists/cursor';
import { z } from 'zod';

/** The place in the invoice is enough. The page after the greatest one still has places of 32 bits. */
const positionSchema = z.tuple([z.int32().min(1).max(2_000_000_000)]);

export function toLineCursor({ place }: { readonly place: number }): readonly unknown[] {
  return [place];
}

/** The place of the last line of the page before; 0 for the first page. Throws `invalid_request` for a foreign cursor. */
export function fromLineCursor(cursor: string | undefined): number {
  return cursor === undefined ? 0 : decodeCursor('lines', cursor, positionSchema)[0];
}
