import type { CallMetadata } from '@tollgate/sdk/calls';

import { createEventReader, type ServerSentEvent } from './event-reader.ts';

/** How the event stream of an answer becomes what its call costs. */
export interface UsageOptions {
  /**
   * Reads from an event of an event stream what the call has come to so far. The last value that is not undefined counts, also
   * where the answer is cut. Without it an answer that is cut is a failed call.
   */
  readonly usage?: ((event: ServerSentEvent) => CallMetadata | undefined) | undefined;
  /**
   * Says what an event stream costs that is cut. `delivered` (the default): the last usage, and nothing before the first event.
   * `none`: nothing. `all`: `most`, also before the first event.
   */
  readonly charge?: 'delivered' | 'none' | 'all' | undefined;
  /** The most that the call can come to, for `all`. Default: the metadata of the gate's `max`. */
  readonly most?: CallMetadata | undefined;
}

/** The part of an answer that is known before its body. */
export interface AnswerHead {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
}

/** Gets the bytes of a body as they leave. */
export type ReadBytes = (bytes: Uint8Array) => void;

export interface UsageReader {
  readonly read: ReadBytes;
  /** So many events have left. */
  events(): number;
  last(): CallMetadata | undefined;
}

/** Undefined: the answer is no event stream, or nobody reads the usage of it. */
export function createUsageReader({ usage }: UsageOptions, head: AnswerHead): UsageReader | undefined {
  if (usage === undefined || !isReadable(head)) return undefined;
  let events = 0;
  let last: CallMetadata | undefined;
  const read = createEventReader((event) => {
    last = usage(event) ?? last;
    events += 1;
  });
  return { read, events: () => events, last: () => last };
}

function isReadable({ status, contentType = '', contentEncoding = 'identity' }: AnswerHead): boolean {
  return status < 400 && /^text\/event-stream\s*(;|$)/i.test(contentType) && contentEncoding === 'identity';
}
