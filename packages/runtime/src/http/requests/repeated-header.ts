import type { IncomingMessage } from 'node:http';

/**
 * Node keeps the first of these headers (of keys it makes a list), an edge perhaps the last. With two of them, the two
 * would see different callers, bodies or keys.
 */
const single = new Set(['authorization', 'host', 'content-type', 'idempotency-key']);
const lengths = new Set([...single].map((name) => name.length));

/** The name of a header that was sent twice, and may be sent once. */
export function repeatedHeaderOf({ rawHeaders }: IncomingMessage): string | undefined {
  let seen: string[] | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index] ?? '';
    if (!lengths.has(raw.length)) continue; // saves the lower-casing of most names
    const name = raw.toLowerCase();
    if (!single.has(name)) continue;
    if (seen?.includes(name)) return name;
    (seen ??= []).push(name);
  }
  return undefined;
}
