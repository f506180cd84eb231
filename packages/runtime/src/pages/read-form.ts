import { AppError } from '@tollgate/kernel/app-error';
import { invalidRequest } from '../http/requests/invalid-request.ts';
import { parseBody } from '../http/requests/parse.ts';
import { readRaw } from '../http/requests/read-json-body.ts';
import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';

const formType = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;
const defaultLimits = { maxBytes: 4_096 };

/** Reads the form that a browser sends when a button is pressed, and checks it by its contract. */
export async function readForm<Schema extends z.ZodType>(
  request: IncomingMessage,
  schema: Schema,
  limits = defaultLimits,
): Promise<z.output<Schema>> {
  const bytes = await readRaw(request, limits);
  if (!formType.test(request.headers['content-type'] ?? '')) {
    const message = 'Send the form as Content-Type: application/x-www-form-urlencoded.';
    throw new AppError('unsupported_media_type', message);
  }
  const fields = [...new URLSearchParams(bytes.toString('utf8'))];
  if (new Set(fields.map(([name]) => name)).size < fields.length) throw invalidRequest('The form has a field twice.');
  return parseBody(schema, Object.fromEntries(fields)).value;
}
