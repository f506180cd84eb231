import type { IncomingMessage, ServerResponse } from 'node:http';

import { countBytes } from './count-bytes.ts';
import { cutBody, wholeBody, type EndedAnswer } from './ended-answer.ts';
import type { AnswerHead, ReadBytes } from './usage-reader.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface AnswerWatcher {
  /** The body begins. Gives what reads the bytes that have left, and cuts the answer where it throws. */
  begin(head: AnswerHead): ReadBytes | undefined;
  onEnded(answer: EndedAnswer): void;
}

/**
 * Tells how an answer ended, once. Node 20 says of a socket that was destroyed that it wrote everything: its callbacks get no
 * error, and `writableFinished` is true.
 */
export function watchAnswer({ request, response }: Exchange, { begin, onEnded }: AnswerWatcher): void {
  const { socket } = request;
  const headOf = watchHead(response);
  const body = countBytes(response, { isOpen: () => !socket.destroyed, begin: () => begin(headOf()) });
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
    const { given, taken } = body.bytes();
    const isSent = taken > 0 && taken === Number(response.getHeader('content-length'));
    if (isFlushed && body.readRest()) onEnded({ status, ...wholeBody(request.method === 'HEAD' ? 0 : given) });
    else if (isSent) onEnded({ status, ...wholeBody(taken) });
    else onEnded({ status, ...cutBody(isFlushed ? 'builder' : cutBy, taken) });
  });
}

/** Headers that come with `writeHead` alone are not among those of the response. */
function watchHead(response: ServerResponse): () => AnswerHead {
  const given = new Headers();
  const writeHead = response.writeHead.bind(response) as (...words: unknown[]) => ServerResponse;
  response.writeHead = ((...words: unknown[]) => {
    for (const [name, value] of toPairs(words.at(-1))) given.set(name, String(value));
    return writeHead(...words);
  }) as typeof response.writeHead;
  const headerOf = (name: string) => given.get(name) ?? textOf(response.getHeader(name));
  return () => ({
    status: response.statusCode,
    contentType: headerOf('content-type'),
    contentEncoding: headerOf('content-encoding'),
  });
}

/** `writeHead` takes an object, a list of pairs, or a flat list of names and values. */
function toPairs(headers: unknown): (readonly [string, unknown])[] {
  if (typeof headers !== 'object' || headers === null) return [];
  if (!Array.isArray(headers)) return Object.entries(headers);
  const flat: unknown[] = headers.flat();
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[String(name), flat[at + 1]] as const] : []));
}

function textOf(value: ReturnType<ServerResponse['getHeader']>): string | undefined {
  return value === undefined ? undefined : String(value);
}
