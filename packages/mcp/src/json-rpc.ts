/** The parts of JSON-RPC and of MCP's messages that metering reads. Both generations of the MCP SDK send these shapes. */
export type RequestId = string | number;

export interface JsonRpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export interface JsonRpcMessage {
  readonly jsonrpc: '2.0';
  readonly id?: RequestId | undefined;
  readonly method?: string | undefined;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly result?: Readonly<Record<string, unknown>> | undefined;
  readonly error?: JsonRpcError | undefined;
}

export type JsonRpcRequest = JsonRpcMessage & { readonly id: RequestId };

/** The input with which a call goes on that asked for it. MCP knows it since 2026-07-28. */
export interface Continuation {
  readonly inputResponses?: unknown;
  readonly requestState?: unknown;
}

/** A `tools/call` request: which tool, with which arguments, and the request's `_meta`. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
}

export function isRequest(message: JsonRpcMessage, method: string): message is JsonRpcRequest {
  return message.method === method && message.id !== undefined;
}

/** A result or an error that answers the request `id`. */
export function isResponse(message: JsonRpcMessage): message is JsonRpcRequest {
  return message.method === undefined && message.id !== undefined;
}

export function toResult(result: Readonly<Record<string, unknown>>): JsonRpcMessage {
  return { jsonrpc: '2.0', result };
}

export function toError(error: JsonRpcError): JsonRpcMessage {
  return { jsonrpc: '2.0', error };
}

/** The call that `params` of a `tools/call` ask for. Undefined if no server could serve it. */
export function readToolCall(params: JsonRpcMessage['params']): ToolCall | undefined {
  const name = params?.['name'];
  if (typeof name !== 'string') return undefined;
  return { name, arguments: asObject(params?.['arguments']), meta: asObject(params?.['_meta']) };
}

/** The input that `params` of a `tools/call` bring. Undefined: the call is new. */
export function readContinuation(params: unknown): Continuation | undefined {
  const { inputResponses, requestState } = asObject(params);
  return inputResponses === undefined && requestState === undefined ? undefined : { inputResponses, requestState };
}

/** The request with this input in place of what it brings. */
export function withContinuation<T extends Pick<JsonRpcMessage, 'params'>>(request: T, continuation: unknown): T {
  const { inputResponses: _responses, requestState: _state, ...params } = request.params ?? {};
  return { ...request, params: { ...params, ...asObject(continuation) } };
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

/** The request without `keys` in its `_meta`: what is meant for metering does not reach the tool. */
export function withoutMeta<T extends Pick<JsonRpcMessage, 'params'>>(request: T, keys: readonly string[]): T {
  const meta = request.params?.['_meta'];
  const rest = withoutKeys(meta, keys);
  return rest === meta ? request : { ...request, params: { ...request.params, _meta: rest } };
}

/** The object without `keys`; itself if it has none of them. */
export function withoutKeys(value: unknown, keys: readonly string[]): unknown {
  const object = asObject(value);
  if (!keys.some((key) => key in object)) return value;
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
