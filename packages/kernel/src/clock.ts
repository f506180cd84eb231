import { AppError } from './app-error.ts';

/**
 * The only source of time. Times that are stored, signed or compared with stored ones come from `now()`, which an operator
 * may move in the sandbox. Deadlines, limits, leases and polling use `monotonicMs()`, which nobody can move.
 */
export interface Clock {
  /** Whole milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since some start. Nobody moves it, and it never goes back. Only differences have a meaning. */
  monotonicMs(): number;
}

/** A clock that can be moved forward. It ticks on from there, unless frozen. */
export interface MovableClock extends Clock {
  /** Throws `conflict` for a time before `now()`: stored rows would lie in the future. */
  set(nowMs: number): void;
  advance(ms: number): void;
  freeze(frozen: boolean): void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
};

export function createMovableClock(startMs: number = Date.now()): MovableClock {
  let anchorMs = startMs;
  let anchoredAt = performance.now();
  let frozen = false;

  const now = (): number => (frozen ? anchorMs : anchorMs + Math.floor(performance.now() - anchoredAt));
  const anchor = (nowMs: number): void => {
    anchorMs = nowMs;
    anchoredAt = performance.now();
  };
  const set = (nowMs: number): void => {
    const current = now();
    if (!Number.isSafeInteger(nowMs)) throw new RangeError(`not a whole number of milliseconds: ${nowMs}`);
    if (nowMs < current) {
      throw new AppError('clock_moved_back', `the clock is at ${toIso(current)} and never goes back`);
    }
    anchor(nowMs);
  };
  return {
    now,
    monotonicMs: () => performance.now(),
    set,
    advance: (ms) => set(now() + ms),
    freeze: (freezeIt) => {
      anchor(now());
      frozen = freezeIt;
    },
  };
}

/** UTC with milliseconds and `Z`: every time leaves this system in this form. */
export function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
