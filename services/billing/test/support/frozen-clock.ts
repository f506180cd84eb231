import { createMovableClock, type MovableClock } from '@tollgate/kernel/clock';

/** Stands still until a test moves it. */
export function frozenClock(time: string): MovableClock {
  return createMovableClock(Date.parse(time), { isFrozen: true });
}
