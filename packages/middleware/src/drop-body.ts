import type { ServerResponse } from 'node:http';

type Loose = (...words: unknown[]) => unknown;

/** Nobody reads the body of this answer. Whatever it was said to be long, it is sent without one. */
export function dropBody(response: ServerResponse): void {
  const end = response.end.bind(response) as Loose;
  const writeHead = response.writeHead.bind(response) as Loose;
  const replaced: Record<'write' | 'end' | 'writeHead', Loose> = {
    write(...words) {
      const callback = functionIn(words);
      if (callback !== undefined) queueMicrotask(callback);
      return true;
    },
    end(...words) {
      if (!response.headersSent) response.removeHeader('content-length');
      return end(functionIn(words));
    },
    writeHead(...words) {
      response.removeHeader('content-length');
      return writeHead(...words.map((word) => (typeof word === 'object' ? withoutLength(word) : word)));
    },
  };
  Object.assign(response, replaced);
}

function functionIn(words: readonly unknown[]): (() => void) | undefined {
  return words.find((word) => typeof word === 'function') as (() => void) | undefined;
}

/** Headers as `writeHead` takes them: an object, or a list of names and values in turn. */
function withoutLength(headers: object | null): unknown {
  const isLength = (name: unknown): boolean => String(name).toLowerCase() === 'content-length';
  if (Array.isArray(headers)) return headers.filter((_, at) => !isLength(headers[at - (at % 2)]));
  return Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => !isLength(name)));
}
