import type { IncomingMessage } from 'node:http';
import { invalidRequest } from './invalid-request.ts';

/** Headers of which Node keeps the first and an edge perhaps the last: with two of them nobody knows who is calling. */
const single = new Set(['authorization', 'host', 'content-type']);
const lengths = new Set([...single].map((name) => name.length));

export function refuseRepeatedHeaders(request: IncomingMessage): void {
  const { rawHeaders } = request;
  let seen: string[] | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index] ?? '';
    if (!lengths.has(raw.length)) continue; // spares most names the lower-casing
    const name = raw.toLowerCase();
    if (!single.has(name)) continue;
    if (seen?.includes(name)) throw invalidRequest(`The header ${name} must be sent once.`);
    (seen ??= []).push(name);
  }
}
