import { asObject, toError, toResult, type JsonRpcError, type JsonRpcMessage } from '../json-rpc.ts';

const statuses = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const;
export type TaskStatus = (typeof statuses)[number];

/** A task as its server tells it: one of MCP 2025-11-25, or of the extension `io.modelcontextprotocol/tasks`. */
export interface TaskState {
  readonly taskId: string;
  readonly status: TaskStatus;
  /** Epoch ms. Undefined: the server does not say. */
  readonly createdMs: number | undefined;
  readonly updatedMs: number | undefined;
  /** The server keeps the task for so long after its creation. Undefined: without an end. */
  readonly ttlMs: number | undefined;
  /** The answer of the call, where the task carries it: that of the extension does. */
  readonly response: JsonRpcMessage | undefined;
}

/** The task that a call was answered with in place of a result. Undefined: it was answered. */
export function readHandle(response: JsonRpcMessage | undefined): TaskState | undefined {
  const result = response?.result ?? {};
  if (result['resultType'] === 'task') return readTask(result['task'] ?? result);
  return result['content'] === undefined ? readTask(result['task']) : undefined;
}

/** Undefined: this is no task. */
export function readTask(value: unknown): TaskState | undefined {
  const { taskId, status, createdAt, lastUpdatedAt, ttlMs, ttl, result, error } = asObject(value);
  const known = statuses.find((one) => one === status);
  if (typeof taskId !== 'string' || taskId === '' || known === undefined) return undefined;
  return {
    taskId,
    status: known,
    createdMs: toMs(createdAt),
    updatedMs: toMs(lastUpdatedAt),
    ttlMs: toTtlMs(ttlMs ?? ttl),
    response: toResponse(result, error),
  };
}

/** The task that a notification tells of: its method is another one in each version. */
export function readTold({ method, params }: JsonRpcMessage): TaskState | undefined {
  return method === 'notifications/tasks' || method === 'notifications/tasks/status' ? readTask(params) : undefined;
}

export function isTerminal({ status }: TaskState): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

function toMs(time: unknown): number | undefined {
  const ms = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

function toTtlMs(ttl: unknown): number | undefined {
  return typeof ttl === 'number' && ttl >= 0 && Number.isFinite(ttl) ? ttl : undefined;
}

function toResponse(result: unknown, error: unknown): JsonRpcMessage | undefined {
  const { code, message } = asObject(error);
  if (typeof code === 'number' && typeof message === 'string') return toError(error as JsonRpcError);
  return typeof result === 'object' && result !== null ? toResult(asObject(result)) : undefined;
}
