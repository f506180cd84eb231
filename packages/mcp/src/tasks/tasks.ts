/**
 * A call that is answered with a task works on, and is paid when it has ended.
 *
 * 1. Before the handle is sent on, the money is held until the task's end of life and an hour, and named by the task's id.
 * 2. Whoever sees the end settles it: an answer to `tasks/get`, `tasks/result` or `tasks/cancel`, or a notification. A process
 *    that did not begin the task finds its money at Tollgate by the name.
 * 3. A task that nobody asks about is looked at once more before its end of life. If it has not ended, it is released, and
 *    kept in `rejected.jsonl`.
 */
import type { CallMetadata, NamedCall, PaidCall } from '@tollgate/sdk/calls';

import type { ListTools } from '../find-tool.ts';
import type { JsonRpcMessage, ToolCall } from '../json-rpc.ts';
import { fingerprint } from '../payer.ts';
import { within } from '../within.ts';
import { isTerminal, readTask, readTold, type TaskState } from './read-task.ts';
import { findTaskEnd, unknownCall, type AskServer } from './task-end.ts';

/** Somebody who asks about tasks, and the server that is asked. */
export interface TaskAsker {
  readonly ask: AskServer;
  readonly listTools: ListTools;
  /** The key of the caller. */
  readonly key: string | undefined;
}

export interface TasksDeps {
  readonly resume: (named: NamedCall) => Promise<PaidCall | undefined>;
  readonly metadataOf: (call: ToolCall, response: JsonRpcMessage | undefined) => CallMetadata | undefined;
  readonly onError: (error: unknown) => void;
  readonly nowMs: () => number;
}

export interface Tasks {
  /** A call was answered with a task. Resolves when the answer may be sent on. */
  begin(state: TaskState, call: ToolCall, paid: PaidCall, asker: TaskAsker): Promise<void>;
  /** A call that nobody pays was answered with a task. */
  ignore(state: TaskState): void;
  /** The server has answered a request about a task. Resolves when the end that it tells is recorded. Never rejects. */
  answered(request: TaskRequest, response: JsonRpcMessage | undefined, asker: TaskAsker): Promise<void>;
  /** The server has sent a message. */
  heard(message: JsonRpcMessage, asker: TaskAsker): void;
}

export interface TaskRequest {
  readonly method: string;
  readonly taskId: string;
}

/** The methods whose answers tell of a task. */
export const taskMethods: ReadonlySet<string> = new Set(['tasks/get', 'tasks/result', 'tasks/cancel']);

interface LiveTask {
  readonly call: ToolCall;
  readonly paid: PaidCall;
  readonly startedMs: number;
  asker: TaskAsker;
  heldUntilMs: number;
  extending: Promise<void>;
  timer: ReturnType<typeof setTimeout> | undefined;
}

const dayMs = 86_400_000;
/** An outage of Tollgate after the end of a task must not cost the builder its money. */
const graceMs = 3_600_000;
/** A task is looked at so long before its end of life. */
const lookedBeforeMs = 2_000;
/** Tollgate takes no event of a call that began a day ago. */
const spanMsMax = dayMs - 60_000;
const ttlSecondsMin = 5;
const endedMax = 10_000;
const toldWithinMs = 2_000;

export function createTasks({ resume, metadataOf, onError, nowMs }: TasksDeps): Tasks {
  const live = new Map<string, LiveTask>();
  /** The tasks that have ended, each with its settlement. */
  const ended = new Map<string, Promise<void>>();

  function remember(taskId: string, settled: Promise<void>): void {
    ended.set(taskId, settled);
    const [oldest] = ended.keys();
    if (ended.size > endedMax && oldest !== undefined) ended.delete(oldest);
  }

  /** Holds the money until the task's end of life, which may have moved. */
  function follow(task: LiveTask, state: TaskState): Promise<void> {
    const endsMs = endOfLife(task, state);
    watch(task, state, endsMs);
    const untilMs = Math.min(task.startedMs + dayMs, endsMs + graceMs);
    if (untilMs <= task.heldUntilMs) return task.extending;
    task.heldUntilMs = untilMs;
    const ttlSeconds = Math.max(ttlSecondsMin, Math.ceil((untilMs - nowMs()) / 1_000));
    task.extending = task.paid.extend({ ttlSeconds, reference: toReference(state.taskId) }).then((isHeld) => {
      if (!isHeld) task.heldUntilMs = 0; // asked again when somebody asks about the task
    });
    return task.extending;
  }

  function watch(task: LiveTask, { taskId, ttlMs = dayMs }: TaskState, endsMs: number): void {
    clearTimeout(task.timer);
    const beforeMs = Math.min(lookedBeforeMs, ttlMs / 10);
    const waitMs = Math.max(0, endsMs - beforeMs - nowMs());
    task.timer = setTimeout(() => void endLife(task, taskId).catch(onError), waitMs);
    task.timer.unref();
  }

  async function endLife({ asker }: LiveTask, taskId: string): Promise<void> {
    const state = await look(taskId, asker);
    if (state !== undefined && isTerminal(state)) return settle(state, asker);
    const task = take(taskId);
    if (task === undefined) return;
    remember(taskId, Promise.resolve());
    await task.paid.abandon(`Its task ${taskId} had not ended at its end of life, and nobody asked about it again.`);
  }

  async function look(taskId: string, { ask }: TaskAsker): Promise<TaskState | undefined> {
    const response = await within(ask('tasks/get', { taskId }), toldWithinMs);
    return readTask(response?.result?.['task'] ?? response?.result);
  }

  function take(taskId: string): LiveTask | undefined {
    const task = live.get(taskId);
    live.delete(taskId);
    clearTimeout(task?.timer);
    return task;
  }

  /** However many see the end at once, it is settled once. */
  function settle(state: TaskState, asker: TaskAsker): Promise<void> {
    const known = ended.get(state.taskId);
    if (known !== undefined) return known;
    const settled = settleOnce(state, asker).catch((error: unknown) => {
      ended.delete(state.taskId); // who asks next tries again
      onError(error);
    });
    remember(state.taskId, settled);
    return settled;
  }

  async function settleOnce(state: TaskState, asker: TaskAsker): Promise<void> {
    const { taskId } = state;
    const task = take(taskId);
    await task?.extending;
    const paid = task?.paid ?? (await resume({ reference: toReference(taskId), key: asker.key }));
    if (paid === undefined) return;
    const { outcome, response } = await findTaskEnd({ state, call: task?.call, ...asker });
    if (outcome === 'not_run') return paid.release();
    const metadata = toSendable(metadataOf(task?.call ?? unknownCall, response));
    await paid.end({ success: outcome === 'success', metadata, span: spanOf(state, task?.startedMs) });
  }

  /** The times of the task are the same whoever settles it, so two that do record one event. */
  function spanOf({ createdMs, updatedMs }: TaskState, startedMs: number | undefined) {
    const nowAtMs = nowMs();
    const beganMs = createdMs ?? startedMs ?? nowAtMs;
    const fromMs = Math.min(nowAtMs, Math.max(beganMs, nowAtMs - spanMsMax));
    const isKnown = createdMs !== undefined && updatedMs !== undefined && updatedMs >= fromMs;
    return { fromMs, toMs: isKnown ? Math.min(updatedMs, nowAtMs) : nowAtMs };
  }

  async function see(state: TaskState, asker: TaskAsker): Promise<void> {
    if (isTerminal(state)) return settle(state, asker);
    const task = live.get(state.taskId);
    if (task === undefined) return;
    task.asker = asker;
    await follow(task, state);
  }

  async function stateAfter(
    { method, taskId }: TaskRequest,
    response: JsonRpcMessage,
    asker: TaskAsker,
  ): Promise<TaskState | undefined> {
    const told = readTask(response.result?.['task'] ?? response.result);
    if (method === 'tasks/get') return told;
    if (method === 'tasks/cancel') return told ?? (response.result && look(taskId, asker));
    const state = await look(taskId, asker);
    if (state !== undefined && isTerminal(state)) return { ...state, response: state.response ?? response };
    if (response.result === undefined) return undefined; // it says nothing of how the task ended
    const unknown = { createdMs: undefined, updatedMs: undefined, ttlMs: undefined };
    return { ...(state ?? { taskId, ...unknown }), status: 'completed', response };
  }

  return {
    async begin(state, call, paid, asker) {
      ended.delete(state.taskId); // a notification may have come first
      const startedMs = nowMs();
      const task = { call, paid, startedMs, asker, heldUntilMs: 0, extending: Promise.resolve(), timer: undefined };
      live.set(state.taskId, task);
      if (state.status === 'cancelled') return settle(state, asker);
      await follow(task, state);
    },
    ignore: ({ taskId }) => remember(taskId, Promise.resolve()),
    async answered(request, response, asker) {
      if (response === undefined || ended.has(request.taskId)) return ended.get(request.taskId);
      try {
        const state = await stateAfter(request, response, asker);
        if (state?.taskId === request.taskId) await see(state, asker);
      } catch (error) {
        onError(error);
      }
    },
    heard(message, asker) {
      const state = readTold(message);
      if (state !== undefined) void see(state, asker).catch(onError);
    },
  };
}

/** When the server may forget the task; a day after its beginning at the latest. */
function endOfLife({ startedMs }: LiveTask, { createdMs, ttlMs = dayMs }: TaskState): number {
  const lastMs = startedMs + spanMsMax;
  return Math.min((createdMs ?? startedMs) + ttlMs, lastMs);
}

/** What was computed from arguments that nobody knows may be no number. */
function toSendable(metadata: CallMetadata | undefined): CallMetadata | undefined {
  const isEach = Object.values(metadata ?? {}).every((value) => typeof value !== 'number' || Number.isFinite(value));
  return isEach ? metadata : undefined;
}

/** The name under which Tollgate knows the money of a task: its id, unless that is no name there. */
function toReference(taskId: string): string {
  return /^[\x21-\x7e]{1,255}$/.test(taskId) ? taskId : fingerprint(taskId);
}
