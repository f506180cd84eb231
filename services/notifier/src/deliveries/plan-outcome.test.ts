import { describe, expect, it } from '@jest/globals';
import { dayMs, hourMs, minuteMs } from '@tollgate/kernel/durations';
import { planOutcome, type OutcomeFacts } from './plan-outcome.ts';

const nowMs = Date.parse('2026-11-29T12:00:00.000Z');
const failed = { status: 500, error: 'The answer was 500.', retryAfterMs: null };
const facts: OutcomeFacts = { sent: failed, tries: 0, failingSinceMs: null, nowMs, random: 0.5 };
const pauseOf = (more: Partial<OutcomeFacts>) => (planOutcome({ ...facts, ...more }).dueAtMs ?? 0) - nowMs;

describe('a webhook that failed', () => {
  it('is tried ten more times, over some four days, and has failed then', () => {
    const pauses = Array.from({ length: 10 }, (_, tries) => pauseOf({ tries }));
    const hours = [2, 5, 10, 14, 20, 24].map((each) => each * hourMs);
    expect(pauses).toEqual([5_000, minuteMs, 5 * minuteMs, 30 * minuteMs, ...hours]);
    expect(planOutcome({ ...facts, tries: 10 })).toEqual({
      status: 'failed',
      dueAtMs: null,
      tries: 11,
      disableFor: null,
    });
  });

  it('comes back a tenth sooner or later, so that not all come at once', () => {
    expect([pauseOf({ tries: 1, random: 0 }), pauseOf({ tries: 1, random: 1 })]).toEqual([54_000, 66_000]);
  });

  it('waits as long as the answer asks, up to a day, and never shorter than without', () => {
    const asked = (retryAfterMs: number) => pauseOf({ sent: { ...failed, retryAfterMs } });
    expect([asked(1_000), asked(hourMs), asked(7 * dayMs)]).toEqual([5_000, hourMs, dayMs]);
  });

  it('disables its endpoint when that answers 410, or has failed for five days', () => {
    expect(planOutcome({ ...facts, sent: { ...failed, status: 410 } })).toMatchObject({
      status: 'failed',
      disableFor: 'gone',
    });
    const since = (ms: number) => planOutcome({ ...facts, failingSinceMs: nowMs - ms }).disableFor;
    expect([since(5 * dayMs - 1), since(5 * dayMs)]).toEqual([null, 'failing']);
  });
});

it('a webhook that was received is delivered, whatever failed before', () => {
  const sent = { status: 204, error: null, retryAfterMs: null };
  const long = { tries: 9, failingSinceMs: nowMs - 6 * dayMs };
  expect(planOutcome({ ...facts, ...long, sent })).toMatchObject({
    status: 'delivered',
    dueAtMs: null,
    disableFor: null,
  });
});
