import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createMovableClock, systemClock } from '@tollgate/kernel/clock';
import { createFollowedTime } from './followed-time.ts';

const rowMs = Date.parse('2026-01-01T00:00:00.000Z');

/** A machine so slow that each look at its monotonic time is two milliseconds after the last. */
function slowDown(): void {
  let ms = systemClock.monotonicMs();
  jest.spyOn(performance, 'now').mockImplementation(() => (ms += 2));
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a followed clock, on a slow machine', () => {
  it.each([
    ['at its start', () => undefined],
    ['after a look at an earlier time', (time) => time.show()],
  ] as const satisfies readonly [string, (time: ReturnType<typeof createFollowedTime>) => void][])(
    'stands exactly where the row of a frozen clock stands, %s',
    (_when, before) => {
      const time = createFollowedTime(createMovableClock(rowMs - 1, { isFrozen: true }));
      before(time);
      slowDown();
      time.follow({ nowMs: rowMs, waitMs: 0, isFrozen: true, moves: 1n });
      expect(time.now()).toBe(rowMs);
    },
  );

  it('stands exactly where a move of a ticking clock puts it', () => {
    const time = createFollowedTime(createMovableClock(rowMs, { isFrozen: true }));
    time.follow({ nowMs: rowMs, waitMs: 0, isFrozen: false, moves: 1n });
    slowDown();
    time.follow({ nowMs: rowMs + 1_000, waitMs: 0, isFrozen: true, moves: 2n });
    expect(time.now()).toBe(rowMs + 1_000);
  });
});
