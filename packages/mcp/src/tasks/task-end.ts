import { findTool, type ListTools } from '../find-tool.ts';
import type { JsonRpcMessage, ToolCall } from '../json-rpc.ts';
import { isRefusalOrFailure, outcomeOf, type Outcome } from '../outcome-of.ts';
import { askResult, type AskServer } from './ask-server.ts';
import type { TaskState } from './read-task.ts';

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

/** How a task ended that has ended: as a call without one, by the same answer. */
export async function findTaskEnd({ state, call, ask, listTools }: EndedTask): Promise<TaskEnd> {
  const { taskId, status } = state;
  if (status === 'cancelled') return { outcome: 'not_run', response: undefined };
  const response = toldBy(status, state.response ?? (await askResult(taskId, ask)));
  if (response === undefined) return { outcome: status === 'completed' ? 'success' : 'failure', response };
  const mustLook = call !== undefined && isRefusalOrFailure(response);
  const tool = mustLook ? await findTool(call.name, listTools) : undefined;
  const outcome = outcomeOf(response, call ?? unknownCall, tool);
  return { outcome: outcome === 'success' && status === 'failed' ? 'failure' : outcome, response };
}

/** A task that has completed has a result: an error then says that the server cannot give it any more. */
function toldBy(status: TaskState['status'], response: JsonRpcMessage | undefined): JsonRpcMessage | undefined {
  return status === 'completed' && response?.error !== undefined ? undefined : response;
}
