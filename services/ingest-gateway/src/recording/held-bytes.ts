import type { IncomingMessage } from 'node:http';

/** What Node and we keep of a request and its answer besides the body: measured, 10 KB of a heap with 20,000 of them. */
const requestBytes = 10_000;

/** What a request counts for while it is held: besides, its body's length if told, else all that it may have. */
export function heldBytesOf(request: IncomingMessage, bodyBytesMax: number): number {
  const length = request.headers['content-length'];
  return requestBytes + (length === undefined ? bodyBytesMax : Math.min(Number(length), bodyBytesMax));
}
