import type { TaskState } from './read-task.ts';

export const dayMs = 86_400_000;
/** An outage of Tollgate after the end of a task must not cost the builder its money. */
const graceMs = 3_600_000;
/** A task is looked at so long before its end of life. */
const lookedBeforeMs = 2_000;
/** Tollgate takes no event of a call that began a day ago. */
const spanMsMax = dayMs - 60_000;

export interface TaskTimes {
  /** When the task is looked at for the last time. */
  readonly lookAtMs: number;
  /** Until when its money must be held. */
  readonly heldUntilMs: number;
}

/** The times of a task whose call began at `startedMs`, as the server tells it now: its time to live may change. */
export function timesOf({ createdMs, ttlMs = dayMs }: TaskState, startedMs: number): TaskTimes {
  const endsMs = Math.min((createdMs ?? startedMs) + ttlMs, startedMs + spanMsMax);
  return {
    lookAtMs: endsMs - Math.min(lookedBeforeMs, ttlMs / 10),
    heldUntilMs: Math.min(startedMs + dayMs, endsMs + graceMs),
  };
}

/** When the call ran, the same for each process that tells it: so two of them record one event. */
export function spanOf({ createdMs, updatedMs }: TaskState, startedMs: number | undefined, nowMs: number) {
  const beganMs = createdMs ?? startedMs ?? nowMs;
  const fromMs = Math.min(nowMs, Math.max(beganMs, nowMs - spanMsMax));
  const isKnown = createdMs !== undefined && updatedMs !== undefined && updatedMs >= fromMs;
  return { fromMs, toMs: isKnown ? Math.min(updatedMs, nowMs) : nowMs };
}
