import { describe, expect, it } from '@jest/globals';
import { createRetryBudget, delayMsBefore, mayRepeat } from './retry.ts';

describe('what may be sent again', () => {
  it.each([
    [{ isSafeToRepeat: true, status: 0, code: 'connection_failed' }, true],
    [{ isSafeToRepeat: true, status: 0, code: 'timed_out' }, true],
    [{ isSafeToRepeat: true, status: 0, code: 'no_api_key' }, false],
    [{ isSafeToRepeat: true, status: 500, code: 'server_error' }, true],
    [{ isSafeToRepeat: true, status: 503, code: 'unavailable' }, true],
    [{ isSafeToRepeat: true, status: 409, code: 'idempotency_in_progress' }, true],
    [{ isSafeToRepeat: true, status: 409, code: 'slug_taken' }, false],
    [{ isSafeToRepeat: true, status: 422, code: 'event_expired' }, false],
    [{ isSafeToRepeat: false, status: 0, code: 'timed_out' }, false],
    [{ isSafeToRepeat: false, status: 503, code: 'unavailable' }, false],
    [{ isSafeToRepeat: false, status: 429, code: 'rate_limit_exceeded' }, true],
  ])('%j: %s', (outcome, expected) => expect(mayRepeat(outcome)).toBe(expected));
});

it('waits as long as the service says, then a random part of a bound that doubles', () => {
  expect(delayMsBefore({ repeats: 0, retryAfter: undefined, random: 0 })).toBe(0);
  expect(delayMsBefore({ repeats: 0, retryAfter: undefined, random: 0.5 })).toBe(100);
  expect(delayMsBefore({ repeats: 3, retryAfter: 2, random: 0.5 })).toBe(2800);
  expect(delayMsBefore({ repeats: 30, retryAfter: undefined, random: 0.5 })).toBe(10_000);
  expect(delayMsBefore({ repeats: 0, retryAfter: 61, random: 0 })).toBeUndefined();
});

it('a budget gives 20 repeats to a service that never answers, then one per ten answers', () => {
  const budget = createRetryBudget();
  const taken = Array.from({ length: 25 }, () => budget.take());
  expect(taken.filter(Boolean)).toHaveLength(20);
  for (let answers = 0; answers < 11; answers += 1) budget.earn();
  expect([budget.take(), budget.take()]).toEqual([true, false]);
});
