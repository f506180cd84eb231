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

import type { JsonRpcMessage } from '../json-rpc.ts';
import type { MetadataOf } from '../metadata-of.ts';
import { NewestMap } from '../newest-map.ts';
import { lookAtTask, readState, type TaskAsker, type TaskRequest } from './ask-server.ts';
import { createLiveTasks, toReference, type BegunTask } from './live-tasks.ts';
import { isTerminal, readTold, type TaskState } from './read-task.ts';
import { findTaskEnd, unknownCall } from './task-end.ts';
import { spanOf } from './task-time.ts';

export interface TasksDeps {
  readonly resume: (named: NamedCall) => Promise<PaidCall | undefined>;
  readonly metadataOf: MetadataOf;
  readonly onError: (error: unknown) => void;
  readonly nowMs: () => number;
}

export interface Tasks {
  /** A call was answered with a task. Resolves when the answer may be sent on. */
  begin(state: TaskState, begun: BegunTask): Promise<void>;
  /** A call that nobody pays was answered with a task. */
  ignore(state: TaskState): void;
  /** The server has answered a request about a task. Resolves when the end that it tells is recorded. Never rejects. */
  answered(request: TaskRequest, response: JsonRpcMessage | undefined, asker: TaskAsker): Promise<void>;
  /** The server has sent a message. */
  heard(message: JsonRpcMessage, asker: TaskAsker): void;
}

const endedMax = 10_000;

export function createTasks({ resume, metadataOf, onError, nowMs }: TasksDeps): Tasks {
  const onEndOfLife = (taskId: string, asker: TaskAsker) => void endLife(taskId, asker).catch(onError);
  const live = createLiveTasks({ onEndOfLife, nowMs });
  /** The tasks that have ended, each with its settlement. */
  const ended = new NewestMap<Promise<void>>(endedMax);

  async function endLife(taskId: string, asker: TaskAsker): Promise<void> {
    const state = await lookAtTask(taskId, asker);
    if (state !== undefined && isTerminal(state)) return settle(state, asker);
    const task = live.take(taskId);
    if (task === undefined) return;
    ended.set(taskId, Promise.resolve());
    await task.paid.abandon(`Its task ${taskId} had not ended at its end of life, and nobody asked about it again.`);
  }

  /** However many see the end at once, it is settled once. */
  function settle(state: TaskState, asker: TaskAsker): Promise<void> {
    const known = ended.get(state.taskId);
    if (known !== undefined) return known;
    const settled = settleOnce(state, asker).catch((error: unknown) => {
      ended.delete(state.taskId); // the next one that asks tries again
      onError(error);
    });
    ended.set(state.taskId, settled);
    return settled;
  }

  async function settleOnce(state: TaskState, asker: TaskAsker): Promise<void> {
    const { taskId } = state;
    const task = live.take(taskId);
    await task?.extending;
    const paid = task?.paid ?? (await resume({ reference: toReference(taskId), key: asker.key }));
    if (paid === undefined) return void ended.delete(taskId); // the next one that asks may have the key that asked for it
    const { outcome, response } = await findTaskEnd({ state, call: task?.call, ...asker });
    if (outcome === 'not_run') return paid.release();
    const metadata = toSendable(metadataOf(task?.call ?? unknownCall, response));
    await paid.end({ success: outcome === 'success', metadata, span: spanOf(state, task?.startedMs, nowMs()) });
  }

  const see = (state: TaskState, asker: TaskAsker): Promise<void> =>
    isTerminal(state) ? settle(state, asker) : live.follow(state, asker);

  return {
    async begin(state, begun) {
      ended.delete(state.taskId); // a notification may have come first
      await live.begin(state, begun);
      if (state.status === 'cancelled') await settle(state, begun.asker);
    },
    ignore: ({ taskId }) => ended.set(taskId, Promise.resolve()),
    async answered(request, response, asker) {
      if (response === undefined || ended.has(request.taskId)) return ended.get(request.taskId);
      try {
        const state = await readState(request, response, asker);
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

/** An amount that was computed from arguments that nobody knows may be no number. */
function toSendable(metadata: CallMetadata | undefined): CallMetadata | undefined {
  const isEach = Object.values(metadata ?? {}).every((value) => typeof value !== 'number' || Number.isFinite(value));
  return isEach ? metadata : undefined;
}
