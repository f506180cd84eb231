import type { Clock } from '@tollgate/kernel/clock';

/** The time that one kind of work has before the others get theirs. */
export interface TimeSlice {
  hasTime(): boolean;
  /** Says that work was left for the next slice. */
  leaveRest(): void;
}

/** All the time that the work needs. */
export const wholeSlice: TimeSlice = { hasTime: () => true, leaveRest: () => undefined };

/** Starts a slice of so much real time, which says in the end whether work was left. */
export function startSlice(clock: Pick<Clock, 'monotonicMs'>, sliceMs: number) {
  const untilMs = clock.monotonicMs() + sliceMs;
  let isRestLeft = false;
  return {
    hasTime: () => clock.monotonicMs() < untilMs,
    leaveRest: () => void (isRestLeft = true),
    isRestLeft: () => isRestLeft,
  };
}
