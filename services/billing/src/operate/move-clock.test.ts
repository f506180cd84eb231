import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { createMoveClock } from './move-clock.ts';

const trailMs = 7_000;

function setUp({ watermarkMs, patienceMs = 10_000 }: { watermarkMs: (looks: number) => number; patienceMs?: number }) {
  const done: string[] = [];
  let nowMs = 1_000_000;
  let looks = 0;
  const moveClock = createMoveClock({
    clock: {
      name: 'clock',
      start: async () => undefined,
      stop: async () => undefined,
      now: () => nowMs,
      monotonicMs: systemClock.monotonicMs,
      isFrozen: () => true,
      async move({ to }) {
        nowMs = to !== undefined && 'nowMs' in to ? to.nowMs : nowMs + (to?.advanceMs ?? 0);
        done.push('moved');
      },
    },
    hurryCounting: async () => watermarkMs((looks += 1)),
    runDueWork: async (dueMs) => {
      done.push(`due at ${dueMs} after ${looks} looks`);
      return { closedPeriods: [] };
    },
    trailMs,
    endMs: 9_000_000,
    patienceMs,
  });
  return { moveClock, done, nowMs: () => nowMs };
}

describe('moving the clock', () => {
  it('does what is due once all that was received before is counted, and not earlier', async () => {
    const { moveClock, done } = setUp({ watermarkMs: (looks) => 2_000_000 - trailMs - (looks < 3 ? 1 : 0) });
    await moveClock({ to: { nowMs: 2_000_000 }, isFrozen: true }, { kind: 'operator' });
    expect(done).toEqual(['moved', 'due at 2000000 after 3 looks']);
  });

  it('says so when counting does not follow: moved, and nothing done', async () => {
    const { moveClock, done, nowMs } = setUp({ watermarkMs: () => 0, patienceMs: 60 });
    const moved = moveClock({ to: { advanceMs: 5_000 }, isFrozen: true }, { kind: 'operator' });
    await expect(moved).rejects.toMatchObject({ kind: 'unavailable', code: 'unavailable' });
    expect([done, nowMs()]).toEqual([['moved'], 1_005_000]);
  });

  it.each([
    ['/now', { nowMs: 9_000_000 }],
    ['/advance_seconds', { advanceMs: 8_000_000 }],
  ])('refuses %s beyond where the clock may go, and moves nothing', async (pointer, to) => {
    const { moveClock, done } = setUp({ watermarkMs: () => 0 });
    const errors = [expect.objectContaining({ pointer })];
    await expect(moveClock({ to, isFrozen: true }, { kind: 'operator' })).rejects.toMatchObject({
      code: 'invalid_request',
      errors,
    });
    expect(done).toEqual([]);
  });
});
