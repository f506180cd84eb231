import { describe, expect, it } from '@jest/globals';
import { planSettlement } from './plan-settlement.ts';

type Result = Parameters<typeof planSettlement>[0][number];

const recorded: Result = { index: 0, status: 'recorded' };
const duplicate: Result = { index: 0, status: 'duplicate' };
const failed = (status: Result['status'], httpStatus: number, code: string): Result => ({
  index: 0,
  status,
  error: { status: httpStatus, code: code as 'event_expired', detail: 'The reason.' },
});
const rejected = failed('rejected', 422, 'event_expired');
const unknown = failed('unknown', 503, 'unavailable');

describe('an answer settles', () => {
  it('everything that is counted or refused for good', () => {
    expect(planSettlement([recorded, duplicate, rejected])).toEqual({
      settled: 3,
      recorded: 1,
      duplicates: 1,
      rejected: [{ index: 2, error: rejected.error }],
    });
  });

  it('only what comes before the first event that must be sent again', () => {
    expect(planSettlement([recorded, unknown, rejected, recorded])).toEqual({
      settled: 1,
      recorded: 1,
      duplicates: 0,
      rejected: [],
    });
  });

  it.each([
    ['unknown', 503, 'unavailable'],
    ['rejected', 500, 'server_error'],
    ['rejected', 503, 'unavailable'],
    ['rejected', 429, 'rate_limit_exceeded'],
    ['rejected', 401, 'unauthorized'],
    ['rejected', 403, 'account_suspended'],
  ] as const)('no event that is %s with %i', (status, httpStatus, code) => {
    expect(planSettlement([failed(status, httpStatus, code)])).toMatchObject({ settled: 0, rejected: [] });
  });

  it.each([
    [404, 'tool_not_found'],
    [409, 'idempotency_conflict'],
    [400, 'invalid_request'],
    [413, 'payload_too_large'],
  ])('an event that is rejected with %i %s', (httpStatus, code) => {
    expect(planSettlement([failed('rejected', httpStatus, code)])).toMatchObject({ settled: 1 });
  });
});
