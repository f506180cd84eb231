import { createMovableClock, type Clock, type MovableClock } from '@tollgate/kernel/clock';
import type { ClockRow } from './clock-row.ts';

/** This process's copy of the clock: the machine's until there is a row, then ticking by itself between looks at it. */
export interface FollowedTime {
  now(): number;
  /** Of the row that is followed; undefined while time is the machine's. */
  state(): FollowedState | undefined;
  /** Goes where the row says; a row that is behind changes nothing. */
  follow(row: ClockRow): void;
  /** From now on somebody has seen this clock: it never goes back, not even to where an empty database begins. */
  show(): void;
}

export interface FollowedState {
  readonly moves: bigint;
  readonly isFrozen: boolean;
}

/** Monotonic time stands still while a machine sleeps; the row's does not. Less is jitter. */
export const driftMs = 1_000;

export function createFollowedTime(machine: Clock): FollowedTime {
  let moved: MovableClock | undefined;
  let state: FollowedState | undefined;
  let isShown = false;
  const now = (): number => (moved ?? machine).now();

  function follow({ nowMs, isFrozen, moves }: ClockRow): void {
    const isMove = state === undefined || moves > state.moves;
    if (!isMove && nowMs <= now() + driftMs) return;
    moved ??= createMovableClock(isShown ? now() : nowMs);
    moved.freeze(true); // or it would tick on between the comparison and the setting
    moved.set(Math.max(nowMs, moved.now()));
    moved.freeze(isFrozen);
    state = { moves, isFrozen };
  }

  return { now, state: () => state, follow, show: () => void (isShown = true) };
}
