import { createHash } from 'node:crypto';
import { z } from 'zod';
import { invalidRequest } from '../requests/invalid-request.ts';

const checksumBytes = 6;
const textMax = 1_024;

const textValues = z.array(z.string());

/** Where the next page of a list begins: the sort values of the last row, as opaque text. */
export function encodeCursor(list: string, values: readonly unknown[]): string {
  const payload = Buffer.from(JSON.stringify(values), 'utf8');
  return Buffer.concat([checksumOf(list, payload), payload]).toString('base64url');
}

/**
 * The values of a cursor of this list, checked by the schema. Default schema: an array of strings. Throws 400 for any other text.
 * The checksum detects damage and cursors of other lists. It is no signature: only the query decides whose rows a page shows.
 */
export function decodeCursor(list: string, text: string): string[];
export function decodeCursor<Schema extends z.ZodType>(list: string, text: string, schema: Schema): z.output<Schema>;
export function decodeCursor(list: string, text: string, schema: z.ZodType = textValues): unknown {
  const payload = payloadOf(list, text);
  const parsed = payload === undefined ? undefined : schema.safeParse(payload);
  if (!parsed?.success) {
    throw invalidRequest('The cursor is not one that this list gave out; start again without it.', [
      { pointer: '/cursor', code: 'invalid_value', message: 'must be the next_cursor of the page before' },
    ]);
  }
  return parsed.data;
}

function payloadOf(list: string, text: string): unknown {
  if (text.length > textMax) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  const payload = bytes.subarray(checksumBytes);
  if (bytes.toString('base64url') !== text || !checksumOf(list, payload).equals(bytes.subarray(0, checksumBytes)))
    return undefined;
  try {
    return JSON.parse(payload.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

function checksumOf(list: string, payload: Buffer): Buffer {
  const hash = createHash('sha256').update('tollgate cursor 1').update(`${list} `).update(payload);
  return hash.digest().subarray(0, checksumBytes);
}
