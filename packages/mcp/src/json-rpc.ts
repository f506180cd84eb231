/** The parts of JSON-RPC and of MCP's messages that metering reads. Both generations of the MCP SDK send these shapes. */
export type RequestId = string | number;

export interface JsonRpcMessage {
  readonly jsonrpc: '2.0';
  readonly id?: RequestId | undefined;
  readonly method?: string | undefined;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly result?: Readonly<Record<string, unknown>> | undefined;
  readonly error?: { readonly code: number; readonly message: string } | undefined;
}

/** A `tools/call` request: which tool, with which arguments, and the request's `_meta`. */
export interface ToolCall {
  readonly id: RequestId;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
}

export function isRequest(message: JsonRpcMessage, method: string): message is JsonRpcMessage & { id: RequestId } {
  return message.method === method && message.id !== undefined;
}

/** A result or an error that answers the request `id`. */
export function isResponse(message: JsonRpcMessage): message is JsonRpcMessage & { id: RequestId } {
  return message.method === undefined && message.id !== undefined;
}

export function toResponse(id: RequestId, result: Record<string, unknown>): JsonRpcMessage {
  return { jsonrpc: '2.0', id, result };
}

/** Undefined if the message is no `tools/call`, or none that a server could serve. */
export function readToolCall(message: JsonRpcMessage): ToolCall | undefined {
  const name = message.params?.['name'];
  if (!isRequest(message, 'tools/call') || typeof name !== 'string') return undefined;
  return {
    id: message.id,
    name,
    arguments: asObject(message.params?.['arguments']),
    meta: asObject(message.params?.['_meta']),
  };
}

/** The id of the request that a `notifications/cancelled` gives up. */
export function readCancelledId(message: JsonRpcMessage): RequestId | undefined {
  if (message.method !== 'notifications/cancelled') return undefined;
  const id = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** The version of MCP that a server has chosen in its answer to `initialize`. No other result has these two fields. */
export function readAgreedVersion(message: JsonRpcMessage): string | undefined {
  const { protocolVersion, serverInfo } = message.result ?? {};
  return typeof protocolVersion === 'string' && serverInfo !== undefined ? protocolVersion : undefined;
}

/** The message without `keys` in its `_meta`: what is meant for metering does not reach the tool. */
export function withoutMeta(message: JsonRpcMessage, keys: readonly string[]): JsonRpcMessage {
  const meta = asObject(message.params?.['_meta']);
  if (!keys.some((key) => key in meta)) return message;
  const rest = Object.fromEntries(Object.entries(meta).filter(([key]) => !keys.includes(key)));
  return { ...message, params: { ...message.params, _meta: rest } };
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
