import { AppError } from './app-error.ts';

/**
 * The only source of time. Everything that is stored, signed or compared with stored times uses `now()`, which an operator
 * may move in the sandbox; deadlines, limits, leases and polling use `monotonicMs()`, which nobody can move.
 */
export interface Clock {
  /** Milliseconds since the epoch, whole. */
  now(): number;
  /** Milliseconds since some start, never moved and never back. Only differences mean anything. */
  monotonicMs(): number;
}

/** A clock that can be moved forward. It ticks on from where it was put, unless frozen. */
export interface MovableClock extends Clock {
  /** Throws `conflict` for a time before `now()`: rows already stored would lie in the future. */
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

/** UTC with milliseconds and `Z`: the one way in which times leave this system. */
export function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
