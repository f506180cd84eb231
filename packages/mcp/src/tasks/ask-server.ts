import type { ListTools } from '../find-tool.ts';
import type { JsonRpcMessage } from '../json-rpc.ts';
import { within } from '../within.ts';
import { isTerminal, readTask, type TaskState } from './read-task.ts';

/** Asks the server about a task, as the client that asked last. Undefined: no answer came. */
export type AskServer = (
  method: string,
  params: Readonly<Record<string, unknown>>,
) => Promise<JsonRpcMessage | undefined>;

/** Somebody who asks about tasks, and the server that is asked. */
export interface TaskAsker {
  readonly ask: AskServer;
  readonly listTools: ListTools;
  /** The key of the caller. */
  readonly key: string | undefined;
}

export interface TaskRequest {
  readonly method: string;
  readonly taskId: string;
}

/** The methods whose answers tell of a task. */
export const taskMethods: ReadonlySet<string> = new Set(['tasks/get', 'tasks/result', 'tasks/cancel']);

const toldWithinMs = 2_000;
const methodNotFound = -32_601;

/** Undefined: the server does not know the task, or does not answer in time. */
export async function lookAtTask(taskId: string, { ask }: TaskAsker): Promise<TaskState | undefined> {
  return readAnswer(await within(ask('tasks/get', { taskId }), toldWithinMs));
}

/** Until 2026-07-28 a task does not carry the answer of its call: `tasks/result` has it. */
export async function askResult(taskId: string, ask: AskServer): Promise<JsonRpcMessage | undefined> {
  const response = await within(ask('tasks/result', { taskId }), toldWithinMs);
  return response?.error?.code === methodNotFound ? undefined : response;
}

/** How the task stands after an answer about it. Undefined: the answer does not say it. */
export async function readState(
  { method, taskId }: TaskRequest,
  response: JsonRpcMessage,
  asker: TaskAsker,
): Promise<TaskState | undefined> {
  const told = readAnswer(response);
  if (method === 'tasks/get') return told;
  if (method === 'tasks/cancel') return told ?? (response.result && lookAtTask(taskId, asker));
  const state = await lookAtTask(taskId, asker);
  if (state !== undefined && isTerminal(state)) return { ...state, response: state.response ?? response };
  return response.result && { ...untold, ...state, taskId, status: 'completed', response };
}

const untold = { createdMs: undefined, updatedMs: undefined, ttlMs: undefined };

function readAnswer(response: JsonRpcMessage | undefined): TaskState | undefined {
  return readTask(response?.result?.['task'] ?? response?.result);
}
