import type { ServerResponse } from 'node:http';

import type { ReadBytes } from './usage-reader.ts';

export interface BodyPorts {
  isOpen(): boolean;
  /** The body begins. Gives what reads the bytes that the system took. */
  begin(): ReadBytes | undefined;
}

export interface CountedBody {
  /** The bytes that the API gave to a response, and those of them that the system took. */
  bytes(): { readonly given: number; readonly taken: number };
  /** All of the body has left: reads what is not read yet. False: the function of its builder threw. */
  readRest(): boolean;
}

export function countBytes(response: ServerResponse, { isOpen, begin }: BodyPorts): CountedBody {
  let given = 0;
  let taken = 0;
  const unread: Uint8Array[] = [];
  let read: ReadBytes | undefined;
  let hasBegun = false;
  const write = response.write.bind(response) as Sending;
  const end = response.end.bind(response) as Sending;

  function note({ chunk, encoding }: Sent): void {
    given += sizeOf(chunk, encoding);
    if (!hasBegun) read = begin();
    hasBegun = true;
    if (read !== undefined) unread.push(bytesOf(chunk, encoding));
  }

  function readNext(): void {
    const bytes = unread.shift();
    if (bytes !== undefined) read?.(bytes);
  }

  function take(size: number): void {
    taken += size;
    try {
      readNext();
    } catch (error) {
      response.destroy(error as Error); // a function of the builder threw it
    }
  }

  response.write = ((...words: unknown[]) => {
    const sent = toSent(words);
    const { chunk, encoding, callback } = sent;
    note(sent);
    return write(chunk, encoding, (error: unknown) => {
      if (!error && isOpen()) take(sizeOf(chunk, encoding));
      callback?.(error);
    });
  }) as typeof response.write;
  response.end = ((...words: unknown[]) => {
    const before = given;
    const ended = end(...words);
    if (given === before) note(toSent(words)); // HTTP/2's calls `write`
    return ended;
  }) as typeof response.end;
  return {
    bytes: () => ({ given, taken }),
    readRest() {
      try {
        while (unread.length > 0) readNext();
        return true;
      } catch {
        return false;
      }
    },
  };
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

function bytesOf(chunk: unknown, encoding: BufferEncoding | undefined): Uint8Array {
  if (typeof chunk === 'string') return Buffer.from(chunk, encoding);
  return chunk instanceof Uint8Array ? chunk : new Uint8Array();
}
