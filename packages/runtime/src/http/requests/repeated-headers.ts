import type { IncomingMessage } from 'node:http';
import { invalidRequest } from './invalid-request.ts';

/**
 * Node keeps the first of these headers (of keys it makes a list), an edge perhaps the last. With two of them, the two
 * would see different callers, bodies or keys.
 */
const single = new Set(['authorization', 'host', 'content-type', 'idempotency-key']);
const lengths = new Set([...single].map((name) => name.length));

export function refuseRepeatedHeaders(request: IncomingMessage): void {
  const { rawHeaders } = request;
  let seen: string[] | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index] ?? '';
    if (!lengths.has(raw.length)) continue; // saves the lower-casing of most names
    const name = raw.toLowerCase();
    if (!single.has(name)) continue;
    if (seen?.includes(name)) throw invalidRequest(`The header ${name} must be sent once.`);
    (seen ??= []).push(name);
  }
}
