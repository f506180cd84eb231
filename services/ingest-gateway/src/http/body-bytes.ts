import type { IncomingMessage } from 'node:http';

/** What a request's body counts for while it is held: its length if told, else all that it may have. */
export function bodyBytesOf(request: IncomingMessage, maxBytes: number): number {
  const length = request.headers['content-length'];
  return length === undefined ? maxBytes : Math.min(Number(length), maxBytes);
}
