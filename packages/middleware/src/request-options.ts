import type { CallMetadata } from '@tollgate/sdk/calls';

import type { EndedAnswer } from './ended-answer.ts';
import type { UsageOptions } from './usage-reader.ts';

/** How requests become calls of a tool. `Request` is the framework's own. */
export interface RequestOptions<Request> extends UsageOptions {
  /** The slug of the tool, or how a request names it; undefined for a request that is free. */
  readonly tool: string | ((request: Request) => string | undefined);
  /** The pass or API key of the caller who pays. Default: the bearer token of the request. */
  readonly pass?: ((request: Request) => string | undefined) | undefined;
  /** Picks the metadata of the event. Without it nothing of the request but its duration and outcome is sent. */
  readonly metadata?: ((request: Request, answer: EndedAnswer) => CallMetadata | undefined) | undefined;
  /** Which answers are failed calls. Default: status 500 and above, and what was cut but for a stream that `usage` reads. */
  readonly failed?: ((answer: EndedAnswer) => boolean) | undefined;
}

/** The caller of a request, by its headers. */
export interface RequestCaller {
  readonly bearer: string | undefined;
  /** The trace to which the request belongs. */
  readonly traceparent: string | undefined;
}

type Header = string | null | undefined;

export function callerOf(authorization: Header, traceparent: Header): RequestCaller {
  return {
    bearer: /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1],
    traceparent: traceparent ?? undefined,
  };
}
