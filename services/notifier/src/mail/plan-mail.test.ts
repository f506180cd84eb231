import { describe, expect, it } from '@jest/globals';
import { dayMs, minuteMs } from '@tollgate/kernel/durations';
import { planMail, type TriedMail } from './plan-mail.ts';

const deferred = { kind: 'deferred', reason: '451' } as const;
const tried: TriedMail = { answer: deferred, attempt: 1, expiresAtMs: null, nowMs: 0, random: 0.5 };

describe('a mail', () => {
  it('ends with what the server says for good', () => {
    expect(planMail({ ...tried, answer: { kind: 'accepted' } })).toEqual({ end: 'sent' });
    expect(planMail({ ...tried, answer: { kind: 'bounced', reason: '550' } })).toEqual({ end: 'bounced' });
    expect(planMail({ ...tried, answer: { kind: 'refused', reason: '554' } })).toEqual({ end: 'refused' });
  });

  it('that is deferred is tried after a minute, then ever later, for some five days', () => {
    expect(planMail(tried)).toEqual({ dueAtMs: minuteMs });
    let nowMs = 0;
    let attempt = 1;
    for (;;) {
      const outcome = planMail({ ...tried, attempt, nowMs });
      if ('end' in outcome) break;
      expect(outcome.dueAtMs).toBeGreaterThan(nowMs);
      nowMs = outcome.dueAtMs;
      attempt += 1;
    }
    expect(nowMs / dayMs).toBeGreaterThan(4.5);
    expect(nowMs / dayMs).toBeLessThan(5.5);
  });

  it('whose link is no good any more is given up', () => {
    expect(planMail({ ...tried, expiresAtMs: minuteMs })).toEqual({ end: 'given_up' });
    expect(planMail({ ...tried, expiresAtMs: minuteMs + 1 })).toEqual({ dueAtMs: minuteMs });
  });
});
