import type { PaidCall } from '@tollgate/sdk/calls';

import type { ToolCall } from '../json-rpc.ts';
import { fingerprint } from '../payer.ts';
import type { TaskAsker } from './ask-server.ts';
import type { TaskState } from './read-task.ts';
import { timesOf } from './task-time.ts';

/** A task that this process began. */
export interface LiveTask {
  readonly call: ToolCall;
  readonly paid: PaidCall;
  readonly startedMs: number;
  asker: TaskAsker;
  heldUntilMs: number;
  extending: Promise<void>;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export interface LiveTasks {
  begin(state: TaskState, begun: BegunTask): Promise<void>;
  /** Holds the money of a task until its end of life, which may have moved. Nothing for a task of another process. */
  follow(state: TaskState, asker: TaskAsker): Promise<void>;
  /** The task is no longer followed. Undefined: it is none of this process, or is gone already. */
  take(taskId: string): LiveTask | undefined;
}

/** A call that was answered with a task. */
export interface BegunTask {
  readonly call: ToolCall;
  readonly paid: PaidCall;
  readonly asker: TaskAsker;
}

export interface LiveTasksDeps {
  /** Nobody has asked about the task for long, and its end of life is near. */
  readonly onEndOfLife: (taskId: string, asker: TaskAsker) => void;
  readonly nowMs: () => number;
}

const ttlSecondsMin = 5;

export function createLiveTasks({ onEndOfLife, nowMs }: LiveTasksDeps): LiveTasks {
  const live = new Map<string, LiveTask>();

  function hold(task: LiveTask, state: TaskState): Promise<void> {
    const { lookAtMs, heldUntilMs } = timesOf(state, task.startedMs);
    watch(task, state.taskId, lookAtMs);
    if (heldUntilMs <= task.heldUntilMs) return task.extending;
    task.heldUntilMs = heldUntilMs;
    const ttlSeconds = Math.max(ttlSecondsMin, Math.ceil((heldUntilMs - nowMs()) / 1_000));
    task.extending = task.paid.extend({ ttlSeconds, reference: toReference(state.taskId) }).then((isHeld) => {
      if (!isHeld) task.heldUntilMs = 0; // asked again when somebody asks about the task
    });
    return task.extending;
  }

  function watch(task: LiveTask, taskId: string, lookAtMs: number): void {
    clearTimeout(task.timer);
    task.timer = setTimeout(() => onEndOfLife(taskId, task.asker), Math.max(0, lookAtMs - nowMs()));
    task.timer.unref();
  }

  return {
    async begin(state, begun) {
      const fresh = { startedMs: nowMs(), heldUntilMs: 0, extending: Promise.resolve(), timer: undefined };
      const task = { ...begun, ...fresh };
      live.set(state.taskId, task);
      await hold(task, state);
    },
    async follow(state, asker) {
      const task = live.get(state.taskId);
      if (task === undefined) return;
      task.asker = asker;
      await hold(task, state);
    },
    take(taskId) {
      const task = live.get(taskId);
      live.delete(taskId);
      clearTimeout(task?.timer);
      return task;
    },
  };
}

/** The name under which Tollgate knows the money of a task: its id, unless that is no name there. */
export function toReference(taskId: string): string {
  return /^[\x21-\x7e]{1,255}$/.test(taskId) ? taskId : fingerprint(taskId);
}
