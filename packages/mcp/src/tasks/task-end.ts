import { findTool, type ListTools } from '../find-tool.ts';
import type { JsonRpcMessage, ToolCall } from '../json-rpc.ts';
import { isRefusalOrFailure, outcomeOf, type Outcome } from '../outcome-of.ts';
import { within } from '../within.ts';
import type { TaskState } from './read-task.ts';

/** Asks the server about a task, as the client that asked last. Undefined: no answer came. */
export type AskServer = (
  method: string,
  params: Readonly<Record<string, unknown>>,
) => Promise<JsonRpcMessage | undefined>;

export interface TaskEnd {
  readonly outcome: Outcome;
  /** The answer of the call, if the server has told it. */
  readonly response: JsonRpcMessage | undefined;
}

export interface EndedTask {
  readonly state: TaskState;
  /** Undefined: another process began the task. */
  readonly call: ToolCall | undefined;
  readonly ask: AskServer;
  readonly listTools: ListTools;
}

/** A call that another process has begun. */
export const unknownCall: ToolCall = { name: '', arguments: {}, meta: {} };
const methodNotFound = -32_601;
/** The answer about a task waits for this. */
const toldWithinMs = 2_000;

/** How a task ended that has ended: as a call without one, by the same answer. */
export async function findTaskEnd({ state, call, ask, listTools }: EndedTask): Promise<TaskEnd> {
  if (state.status === 'cancelled') return { outcome: 'not_run', response: undefined };
  const response = state.response ?? (await askResult(state, ask));
  if (response === undefined) return { outcome: state.status === 'completed' ? 'success' : 'failure', response };
  if (response.error !== undefined && state.status === 'completed') return { outcome: 'success', response: undefined };
  const mustLook = call !== undefined && isRefusalOrFailure(response);
  const tool = mustLook ? await findTool(call.name, listTools) : undefined;
  const outcome = outcomeOf(response, call ?? unknownCall, tool);
  return { outcome: outcome === 'success' && state.status === 'failed' ? 'failure' : outcome, response };
}

/** Until 2026-07-28 a task does not carry the answer: `tasks/result` has it. */
async function askResult({ taskId }: TaskState, ask: AskServer): Promise<JsonRpcMessage | undefined> {
  const response = await within(ask('tasks/result', { taskId }), toldWithinMs);
  return response?.error?.code === methodNotFound ? undefined : response;
}
