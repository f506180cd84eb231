import { describe, expect, it } from '@jest/globals';
import type { PlainExchange } from '@tollgate/runtime/http/serving/plain-connections';
import { createRecordLine, type RecordLineDeps } from './record-line.ts';

const principal = { kind: 'api_key', accountId: 'account', keyId: 'key' } as const;
const admission = { isAdmitted: true, limit: 100, remaining: 99, waitMs: 0 };

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  /** CORS_ORIGINS. */
  readonly origins?: string;
}

function ask({ headers = {}, origins = '' }: Asked, deps: Partial<RecordLineDeps> = {}) {
  const sent = {
    'content-type': 'application/json',
    'content-length': '17',
    authorization: 'Bearer known',
    ...headers,
  };
  const request = {
    method: 'POST',
    url: '/v1/events',
    headers: sent,
    rawHeaders: [],
    body: Buffer.from('{"tool_id":"one"}'),
    keepsAlive: true,
  };
  let recorded = 0;
  let admitted = 0;
  const line = createRecordLine(
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
      recordEvents: () => void (recorded += 1),
      countOutcome: () => undefined,
      recordBody: async () => undefined,
      ...deps,
    },
  );
  const take = line?.open({ begin: () => undefined, receive: () => undefined, noteAnswer: () => undefined });
  const exchange = { request, answer: () => true, toMessages: noMessages };
  const isTaken = take?.(exchange as PlainExchange, undefined) ?? false;
  return { isTaken, admitted, recorded };
}

function noMessages(): never {
  throw new Error('a request of the line alone');
}

describe('the line of POST /v1/events', () => {
  it('takes a plain request by a known key, and counts it once', () => {
    expect(ask({})).toEqual({ isTaken: true, admitted: 1, recorded: 1 });
  });

  it.each<[string, Asked, Partial<RecordLineDeps>]>([
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
    expect(ask(asked, deps)).toEqual({ isTaken: false, admitted: 0, recorded: 0 });
  });
});
