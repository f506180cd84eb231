import type { IncomingMessage, ServerResponse } from 'node:http';

import { cutBody, wholeBody, type EndedAnswer } from './ended-answer.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Tells how an answer ended, once. Node 20 says of a socket that was destroyed that it wrote everything: its callbacks get no
 * error, and `writableFinished` is true.
 */
export function watchAnswer({ request, response }: Exchange, onEnded: (answer: EndedAnswer) => void): void {
  const { socket } = request;
  const bytes = countBytes(response, () => !socket.destroyed);
  let isFlushed = false;
  let cutBy: 'caller' | 'builder' = 'caller';
  const destroy = response.destroy.bind(response);
  response.destroy = (error) => {
    if (!socket.destroyed) cutBy = 'builder';
    return destroy(error);
  };
  response.once('finish', () => (isFlushed = !socket.destroyed));
  response.once('close', () => {
    const { statusCode: status } = response;
    const { given, taken } = bytes();
    if (isFlushed) onEnded({ status, ...wholeBody(request.method === 'HEAD' ? 0 : given) });
    else if (taken > 0 && taken === Number(response.getHeader('content-length')))
      onEnded({ status, ...wholeBody(taken) });
    else onEnded({ status, ...cutBody(cutBy, taken) });
  });
}

/** The bytes that the API gave to a response, and those of them that the system took. */
function countBytes(
  response: ServerResponse,
  isOpen: () => boolean,
): () => { readonly given: number; readonly taken: number } {
  let given = 0;
  let taken = 0;
  const write = response.write.bind(response) as Sending;
  const end = response.end.bind(response) as Sending;
  response.write = ((...words: unknown[]) => {
    const { chunk, encoding, callback } = toSent(words);
    const size = sizeOf(chunk, encoding);
    given += size;
    return write(chunk, encoding, (error: unknown) => {
      if (!error && isOpen()) taken += size;
      callback?.(error);
    });
  }) as typeof response.write;
  response.end = ((...words: unknown[]) => {
    const before = given;
    const { chunk, encoding } = toSent(words);
    const ended = end(...words);
    if (given === before) given += sizeOf(chunk, encoding); // HTTP/2's calls `write`
    return ended;
  }) as typeof response.end;
  return () => ({ given, taken });
}

type Sending = (...words: unknown[]) => unknown;

interface Sent {
  readonly chunk: unknown;
  readonly encoding: BufferEncoding | undefined;
  readonly callback: ((error: unknown) => void) | undefined;
}

/** `write` and `end` take a chunk, an encoding and a callback, and each of them may be left out. */
function toSent(words: readonly unknown[]): Sent {
  const callback = words.find((word) => typeof word === 'function') as Sent['callback'];
  const [chunk, encoding] = words.filter((word) => typeof word !== 'function');
  return { chunk, encoding: encoding as Sent['encoding'], callback };
}

function sizeOf(chunk: unknown, encoding: BufferEncoding | undefined): number {
  if (typeof chunk === 'string') return Buffer.byteLength(chunk, encoding);
  return chunk instanceof Uint8Array ? chunk.length : 0;
}
