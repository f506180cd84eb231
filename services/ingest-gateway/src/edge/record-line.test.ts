import { PassThrough } from 'node:stream';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { createRecordLine, type RecordLineDeps } from './record-line.ts';

const principal = { kind: 'api_key', accountId: 'account', keyId: 'key' } as const;
const admission = { isAdmitted: true, limit: 100, remaining: 99, waitMs: 0 };

interface Asked {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** CORS_ORIGINS. */
  readonly origins?: string;
}

function ask(
  { method = 'POST', url = '/v1/events', headers = {}, origins = '' }: Asked,
  deps: Partial<RecordLineDeps> = {},
) {
  const request = new IncomingMessage(new PassThrough() as unknown as Socket);
  Object.assign(request, { method, url });
  const sent = {
    'content-type': 'application/json',
    'content-length': '20',
    authorization: 'Bearer known',
    ...headers,
  };
  for (const [name, value] of Object.entries(sent)) request.rawHeaders.push(name, value);
  Object.assign(request.headers, sent);
  const response = new ServerResponse(request);
  let admitted = 0;
  const take = createRecordLine(
    { CORS_ORIGINS: origins },
    {
      credentials: {
        knownKey: (authorization) => (authorization === 'Bearer known' ? principal : undefined),
        authenticate: () => principal,
      },
      limiter: { admit: () => ((admitted += 1), admission) },
      clockCheck: { isRight: () => true },
      clock: { monotonicMs: () => 0 },
      held: { hasRoomFor: () => true },
      recordEvents: () => undefined,
      countOutcome: () => undefined,
      recordBody: async () => undefined,
      ...deps,
    },
  )?.({ begin: () => undefined, receive: () => undefined, noteAnswer: () => undefined });
  const isTaken = take?.(request, response, undefined) ?? false;
  const listeners = [request.listenerCount('data'), request.listenerCount('end'), response.listenerCount('close')];
  return { isTaken, admitted, listeners };
}

describe('the line of POST /v1/events', () => {
  it('takes a plain request by a known key, and counts it once', () => {
    expect(ask({})).toEqual({ isTaken: true, admitted: 1, listeners: [1, 1, 1] });
  });

  it.each<[string, Asked, Partial<RecordLineDeps>]>([
    ['another method', { method: 'PUT' }, {}],
    ['another path', { url: '/v1/events/batch' }, {}],
    ['a query', { url: '/v1/events?a=1' }, {}],
    ['another media type', { headers: { 'content-type': 'text/plain' } }, {}],
    ['no stated length', { headers: { 'content-length': '' } }, {}],
    ['a length beyond the limit', { headers: { 'content-length': '65537' } }, {}],
    ['an encoded body', { headers: { 'content-encoding': 'gzip' } }, {}],
    ['a key in its head', { headers: { 'idempotency-key': 'a' } }, {}],
    ['a credential that memory does not know', { headers: { authorization: 'Bearer unknown' } }, {}],
    [
      'a key without the scope',
      {},
      { credentials: { knownKey: () => ({ ...principal, can: ['read'] }), authenticate: () => principal } },
    ],
    ['a clock that is wrong', {}, { clockCheck: { isRight: () => false } }],
    ['pages of other origins that may read answers', { origins: 'https://a.example' }, {}],
    ['no room', {}, { held: { hasRoomFor: () => false } }],
  ])('leaves a request with %s to the front, and does nothing', (_, asked, deps) => {
    expect(ask(asked, deps)).toEqual({ isTaken: false, admitted: 0, listeners: [0, 0, 0] });
  });
});
