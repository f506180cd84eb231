import { createMovableClock, type Clock, type MovableClock } from '@tollgate/kernel/clock';
import type { ClockRow } from './clock-row.ts';

/** This process's copy of the clock: the machine's until there is a row. Then it ticks by itself between looks at the row. */
export interface FollowedTime {
  now(): number;
  /** The state of the followed row; undefined while time is the machine's. */
  state(): FollowedState | undefined;
  /** Takes over the row's time; a row that is behind changes nothing. */
  follow(row: ClockRow): void;
  /** From now on callers have read this clock: it never goes back, not even to the start of an empty database. */
  show(): void;
}

export interface FollowedState {
  readonly moves: bigint;
  readonly isFrozen: boolean;
}

/**
 * A larger difference from the row is drift: monotonic time stands still while a machine sleeps. A smaller difference
 * is jitter.
 */
export const driftMs = 1_000;

export function createFollowedTime(machine: Clock): FollowedTime {
  let moved: MovableClock | undefined;
  let state: FollowedState | undefined;
  let isShown = false;
  const now = (): number => (moved ?? machine).now();

  function follow({ nowMs, isFrozen, moves }: ClockRow): void {
    const isMove = state === undefined || moves > state.moves;
    if (!isMove && nowMs <= now() + driftMs) return;
    moved ??= createMovableClock(isShown ? now() : nowMs, { isFrozen: true });
    moved.freeze(true); // like a new one: a clock that ticks on until it is set stands later than the row's
    moved.set(Math.max(nowMs, moved.now()));
    moved.freeze(isFrozen);
    state = { moves, isFrozen };
  }

  return { now, state: () => state, follow, show: () => void (isShown = true) };
}
