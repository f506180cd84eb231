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

/** With `isFrozen` it stands at exactly `startMs`; frozen later, it may have ticked on. */
export function createMovableClock(startMs: number = Date.now(), { isFrozen = false } = {}): MovableClock {
  let anchorMs = startMs;
  let anchoredAt = performance.now();
  let frozen = isFrozen;

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

/** Further apart, somebody moved the clock of the sandbox. Machines' clocks differ by less. */
const movedMsMin = 60_000;

/** Whether somebody moved the clock that says this time. */
export function isMoved(nowMs: number): boolean {
  return Math.abs(nowMs - systemClock.now()) >= movedMsMin;
}

/** For an error of time, which nobody can understand without the time of who judges. */
export function timeHere(nowMs: number): string {
  return `it is ${toIso(nowMs)} here${isMoved(nowMs) ? ', since the sandbox clock was moved' : ''}`;
}

/** For an error that may be one of time: a sentence to append, which is empty unless somebody moved the clock. */
export function timeIfMoved(nowMs: number): string {
  return isMoved(nowMs) ? ` It${timeHere(nowMs).slice('it'.length)}.` : '';
}

/**
 * UTC with milliseconds and `Z`: every time leaves this system in this form. Each event has two times, and most events of a
 * moment share their seconds. The text of the latest seconds is kept, up to its dot: 0.07 µs instead of 0.63, on a busy
 * machine.
 */
export function toIso(ms: number): string {
  const wholeMs = Math.trunc(ms);
  const second = Math.floor(wholeMs / 1_000);
  const place = second & (secondsKept - 1);
  if (keptSeconds[place] === second) return `${keptTexts[place]}${endings[wholeMs - second * 1_000]}`;
  const text = new Date(wholeMs).toISOString();
  keptSeconds[place] = second;
  keptTexts[place] = text.slice(0, -endingLength);
  return text;
}

/** A power of two. */
const secondsKept = 64;
const keptSeconds = new Float64Array(secondsKept).fill(Number.NaN);
const keptTexts: string[] = Array.from({ length: secondsKept }, () => '');
const endings = Array.from({ length: 1_000 }, (_, ms) => `${String(ms).padStart(3, '0')}Z`);
const endingLength = '000Z'.length;
