import type { AnswerHeader, Route } from '../routes/route.ts';

interface Header {
  readonly description: string;
  readonly required: boolean;
  readonly schema: object;
}

const requestId: Header = {
  description: 'The id of this request: yours, if you sent one that matches `[A-Za-z0-9._-]{1,128}`, else a new one.',
  required: true,
  schema: { type: 'string', minLength: 1, maxLength: 128 },
};

const rateLimit: Record<string, Header> = {
  'X-RateLimit-Limit': {
    description: 'Requests that are allowed within any second.',
    required: false,
    schema: { type: 'integer', minimum: 1 },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests that are left now.',
    required: false,
    schema: { type: 'integer', minimum: 0 },
  },
};

const retryAfter: Header = {
  description: 'Whole seconds to wait before the next request.',
  required: true,
  schema: { type: 'integer', minimum: 1 },
};

const answerHeaders: Record<AnswerHeader, Header> = {
  Location: { description: 'The path of the created object.', required: true, schema: { type: 'string' } },
  'Idempotent-Replayed': {
    description: 'This is the answer to an earlier request with the same key.',
    required: false,
    schema: { const: 'true' },
  },
  'X-Next-Cursor': {
    description: 'With `format=csv`: the cursor of the next page. Without another page it is missing.',
    required: false,
    schema: { type: 'string' },
  },
};

const ignoredFields: Header = {
  description: 'The first 20 unknown top-level fields of the body, percent-encoded and comma-separated.',
  required: false,
  schema: { type: 'string' },
};

const challenge: Header = { description: 'How to authenticate.', required: true, schema: { type: 'string' } };

/** The headers of a successful answer. */
export function successHeaders(route: Route, own: readonly AnswerHeader[] = []): Record<string, Header> {
  const names: AnswerHeader[] = [
    ...own,
    ...(route.idempotencyKey === 'replayed' ? (['Idempotent-Replayed'] as const) : []),
  ];
  return {
    'X-Request-Id': requestId,
    ...(route.ignoresUnknownFields && { 'X-Ignored-Fields': ignoredFields }),
    ...(route.rateLimited && rateLimit),
    ...Object.fromEntries(names.map((name) => [name, answerHeaders[name]])),
  };
}

/** The headers of a problem with this status. */
export function problemHeaders(route: Route, status: number): Record<string, Header> {
  return {
    'X-Request-Id': requestId,
    ...(status === 401 && { 'WWW-Authenticate': challenge }),
    ...((status === 429 || status === 503) && { 'Retry-After': retryAfter }),
    ...(status === 429 && { 'X-RateLimit-Remaining': rateLimit['X-RateLimit-Remaining'] }),
    ...(route.rateLimited && status !== 401 && rateLimit),
    ...(route.idempotencyKey === 'replayed' && { 'Idempotent-Replayed': answerHeaders['Idempotent-Replayed'] }),
  };
}
