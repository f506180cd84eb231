import { describe, expect, it } from '@jest/globals';
import { sessionAgeMaxMs, sessionLifeMs } from '@tollgate/kernel/session-life';
import { planRefresh, rotationGraceMs, type SessionFacts } from './plan-refresh.ts';

const now = 1_800_000_000_000;
const successorSealed = new Uint8Array([1]);
const alive: SessionFacts = {
  tokenId: 'newest',
  createdAt: now - 120_000,
  refreshedAt: now - 60_000,
  endedAt: undefined,
  rotation: undefined,
};
const rotatedAgo = (ms: number): SessionFacts => ({ ...alive, rotation: { rotatedAt: now - ms, successorSealed } });

describe('planRefresh', () => {
  const cases: [string, SessionFacts | undefined, string, string][] = [
    ['rotates the newest token of a live session', alive, 'newest', 'rotate'],
    ['repeats the successor right after the rotation', rotatedAgo(0), 'old', 'repeat'],
    ['repeats the successor after exactly 10 s', rotatedAgo(rotationGraceMs), 'old', 'repeat'],
    ['ends the session 1 ms later', rotatedAgo(rotationGraceMs + 1), 'old', 'end_session'],
    ['ends the session for a token replaced so long ago that nothing is kept of it', alive, 'older', 'end_session'],
    ['repeats for a rotation that another process dated slightly ahead', rotatedAgo(-500), 'old', 'repeat'],
    ['refuses where there is no such session', undefined, 'newest', 'refuse'],
    ['refuses an ended session, also its newest token', { ...alive, endedAt: now - 1 }, 'newest', 'refuse'],
    [
      'rotates in the last millisecond of 30 days',
      { ...alive, refreshedAt: now - sessionLifeMs + 1 },
      'newest',
      'rotate',
    ],
    ['refuses after 30 days without a refresh', { ...alive, refreshedAt: now - sessionLifeMs }, 'newest', 'refuse'],
    [
      'F136 rotates in the last second of 90 days',
      { ...alive, createdAt: now - sessionAgeMaxMs + 1_000 },
      'newest',
      'rotate',
    ],
    [
      'F136 refuses 90 days after the sign-in, however often it was refreshed',
      { ...alive, createdAt: now - sessionAgeMaxMs },
      'newest',
      'refuse',
    ],
  ];
  it.each(cases)('%s', (_title, facts, tokenId, kind) => {
    expect(planRefresh(facts, { tokenId, now }).kind).toBe(kind);
  });
});
