import { createMovableClock, type MovableClock } from '@tollgate/kernel/clock';

/** Stands still until a test moves it. */
export function frozenClock(time: string): MovableClock {
  const clock = createMovableClock(Date.parse(time));
  clock.freeze(true);
  return clock;
}
